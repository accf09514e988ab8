"""A setting: its type, its default and who may set it."""

from typing import Any, Literal, NamedTuple, TypeAlias

Value: TypeAlias = Any
"""What JSON can hold. The accessors of `Settings` hand it out typed."""

Type = Literal["flag", "integer", "text", "texts", "any"]

LARGEST_INTEGER = 2**53 - 1
"""Every JSON reader and every database can hold it."""


class Key(NamedTuple):
    name: str
    """Dotted; a part that is `*` stands for any name."""
    type: Type
    default: Value
    description: str
    nullable: bool = False
    local_only: bool = False
    """Never taken from the committed file, because it widens what Cairn may touch on this machine."""
    lives_locally: bool = False
    """Allowed in both files; `config set` writes it to the local one."""
    widens: bool = False
    """Setting it lets Cairn do or read more than before, so the person is asked."""
    inside: bool = False
    """Paths that must stay inside the repository."""
    minimum: int = 0
    choices: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.name.split("."))

    @property
    def open(self) -> bool:
        """Whether the name has a part that the user chooses."""
        return "*" in self.parts

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        words = "one of " + ", ".join(self.choices) if self.choices else _WORDS[self.type]
        if self.type == "integer":
            words += f" of at least {self.minimum}"
        return words + (" or null" if self.nullable else "")


_WORDS: dict[Type, str] = {
    "flag": "true or false",
    "integer": "a whole number",
    "text": "a text",
    "texts": "a list of texts",
    "any": "any JSON value",
}
