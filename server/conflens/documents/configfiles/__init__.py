"""Config files: their assignments with exact places, in every format that Java programs are configured by.

``model`` holds the results; each format has a file of its own, which works on text and counts characters;
``parsing`` chooses the format, and turns characters into the byte offsets that everything above counts in.
Whether a file is configuration *of this project* is decided above, by what its keys are (``checking``).
"""
