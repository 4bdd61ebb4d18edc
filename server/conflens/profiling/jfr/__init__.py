"""Java Flight Recorder: the binary format, the JSON that `jfr print` writes, and which events count as which cost."""
