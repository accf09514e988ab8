"""Lines that a version of a file lost, however little is looked at."""

import random

from cairn.core.repository.deletion_history import removed_lines

LINES = (b"", b"abc x", b"xabc", b"f --bar", b"abc", b"--barx", b"zz", b"abc abc", b"\r", b"9abc")
WANTED = frozenset((b"abc", b"--bar"))


def test_it_is_what_comparing_all_lines_gives() -> None:
    dice = random.Random(7)
    for _ in range(3_000):
        old = dice.choices(LINES, k=dice.randrange(8))
        new = list(old)
        for _ in range(dice.randrange(4)):
            at = dice.randrange(len(new) + 1)
            del new[at : at + 1]
            new.insert(dice.randrange(len(new) + 1), dice.choice(LINES))
        found = removed_lines(b"\n".join(old), b"\n".join(new), WANTED)
        assert found == sorted(set(found))
        assert set(found) <= set(old) - set(new)
        assert {line for line in set(old) - set(new) if WANTED & set(line.split())} <= set(found)


def test_a_deleted_file_lost_all_its_lines() -> None:
    assert removed_lines(b"abc = 1\nx = 2\nabc = 3", b"", WANTED) == [b"abc = 1", b"abc = 3"]
