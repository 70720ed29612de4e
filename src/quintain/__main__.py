"""Runs the command line: ``python -m quintain`` does the same as the program `quintain`."""

from quintain.cli import main

if __name__ == "__main__":
    main()
