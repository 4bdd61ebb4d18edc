"""Which options are behind what a profiler measured: hotspots, cause-effect chains, ranking.

Joins snapshots (``profiling``) with the program, its options and its flows.  Everything is a pure
function of both; absent: reading files, showing results.
"""
