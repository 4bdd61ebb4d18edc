"""Code lenses above methods and above keys of config files."""
