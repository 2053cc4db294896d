"""``python -m scorekeeper`` is the command ``scorekeeper``."""

from scorekeeper.cli import main

if __name__ == "__main__":
    main()
