"""``python -m conflens``: the command line without its script."""

from conflens.cli.main import program

if __name__ == "__main__":
    program()
