"""Search spaces for tuners: which options to vary, from where to where, and under which conditions."""
