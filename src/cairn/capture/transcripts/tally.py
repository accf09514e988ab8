"""What a reader passed over, counted, so that a person can be told."""

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    lines: int = 0
    broken: int = 0
    """Lines that are no JSON, or not of the form that the host writes."""
    unknown: int = 0
    """Lines of a kind that this Cairn doesn't know; a newer host may write them."""
    too_long: int = 0
    recoded: int = 0
    """Lines that are not UTF-8 and were read as Latin-1."""
    torn: bool = False
    """The last line is not whole; it may still be written."""
    encoding: str = "utf-8"
    through: int = 0
    """Offset behind the last line that was read to its end."""

    def remarks(self) -> list[str]:
        """In words, for a person; nothing when all was well."""
        said = []
        if self.encoding != "utf-8":
            said.append(f"it is written in {self.encoding.upper()}, not in UTF-8")
        if self.recoded:
            said.append(f"{_lines(self.recoded)} not in UTF-8; read as Latin-1")
        if self.broken:
            said.append(f"{_lines(self.broken)} broken; passed over")
        if self.too_long:
            said.append(f"{_lines(self.too_long)} too long; passed over")
        if self.torn:
            said.append("the last line is not whole; it is read when it is")
        return said


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count:,} lines are"
