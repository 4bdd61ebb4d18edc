"""Sensitivity verdicts of a session: fitting the forest in a process of its own, judging after edits."""
