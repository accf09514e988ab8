"""Cuts two versions of a passage to the part in which they differ."""


def differing(old: str, new: str, longest: int) -> tuple[str, str]:
    """Pieces of both, at most so long, that begin shortly before the first difference. Each is literally a part of its
    text."""
    if len(old) <= longest and len(new) <= longest:
        return old, new
    start = _word_start(old, _alike(old, new) - longest // 4)
    return _piece(old, start, longest), _piece(new, start, longest)


def _alike(one: str, other: str) -> int:
    """How many characters are the same at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _word_start(text: str, near: int) -> int:
    return text.rfind(" ", 0, near) + 1 if near > 0 else 0


def _piece(text: str, start: int, longest: int) -> str:
    piece = text[start : start + longest]
    whole = start + longest >= len(text) or " " not in piece
    return (piece if whole else piece.rsplit(" ", 1)[0]).strip()
