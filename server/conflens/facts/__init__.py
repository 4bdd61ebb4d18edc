"""Facts: what one Java file says, as plain frozen data; a pure function of the file's text.

``ir`` is the language of bodies, ``model`` the declarations around them, ``lower`` makes both from a
syntax tree, ``codec`` writes and reads them.  Absent: anything that needs a second file.
"""
