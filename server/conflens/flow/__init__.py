"""Value flow: where a value goes and what is done with it there.

``domain`` says what is known of a value on its way, ``code`` indexes one body, ``rows`` matches
model rows to calls, ``transfer`` is one step, ``uses`` the work list.
"""
