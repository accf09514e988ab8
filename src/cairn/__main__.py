"""Where `cairn` and `python -m cairn` begin: as little as possible, so that what follows can be quick."""

import sys


def main() -> int:
    # What agents call every turn is told apart here, by its first words, before anything else is imported.
    if sys.argv[1:2] == ["hook"] and len(sys.argv) > 2 and sys.argv[2] != "drain" and sys.argv[2][0:1] != "-":
        from cairn.hook import main as hook

        return hook(sys.argv[2:])
    try:
        from cairn.cli.boundary import run
    except KeyboardInterrupt:
        return 130
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
