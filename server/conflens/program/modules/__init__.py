"""Modules of a project and what they depend on, as its build files say."""
