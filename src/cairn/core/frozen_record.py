"""What is declared once, by keyword, and then only looked at.

To a type checker this is a frozen dataclass. At run time it is a few lines that do what is needed: making the seven
kinds of manifests with the real thing took longer than comparing ten thousand files with the store.
"""

from inspect import get_annotations
from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class FrozenRecord:
    names: ClassVar[tuple[str, ...]] = ()
    """Of all that can be declared, in order."""
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        own = tuple(get_annotations(cls))
        cls.names = tuple(dict.fromkeys((*cls.names, *own)))
        cls._required = (cls._required - set(own)) | {name for name in own if not hasattr(cls, name)}

    def __init__(self, **given: Any) -> None:
        unknown, missing = given.keys() - set(self.names), self._required - given.keys()
        if unknown or missing:
            what = f"has no `{min(unknown)}`" if unknown else f"needs `{min(missing)}`"
            raise TypeError(f"{type(self).__name__} {what}")
        self.__dict__.update(given)

    def but(self, **changes: Any) -> Self:
        """The same, except for this."""
        return type(self)(**{**self.__dict__, **changes})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")
