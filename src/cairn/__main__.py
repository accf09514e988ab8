"""Where `cairn` and `python -m cairn` begin: as little as possible, so that what follows can be quick."""

import sys


def main() -> int:
    # What agents call every turn is to be told apart here, by the first argument, before anything else is imported.
    try:
        from cairn.cli.boundary import run
    except KeyboardInterrupt:
        return 130
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
