"""Checks: what cannot be right between code, documents and config files, and how it is mended.

``results`` holds the words; ``recognition`` says which options a file's keys are, and so whether it is a config file of
this project at all; each family of verdicts has a file of its own, which yields findings for one file; ``check`` joins
them.  A verdict that is not sure is not given: an unknown key is only reported where the namespace is fully known, or
where a known name lies near (Rabkin §4.4: "don't know" beats wrong).
"""
