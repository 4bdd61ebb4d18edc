"""Performance properties of options (LearnConf §4): what changing a value does, worked out at the first look and kept per option."""
