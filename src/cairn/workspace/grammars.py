"""Names the languages of a repository whose grammars are not installed."""

from collections import Counter
from collections.abc import Iterable
from importlib.util import find_spec

from cairn.lib.code.read import GRAMMARS

_PACK = "tree_sitter_language_pack"
_ENOUGH = 3
"""Files; one script does not make it a repository of that language."""
_SHOWN = 3


def grammars_installed() -> bool:
    try:
        return find_spec(_PACK) is not None
    except ValueError:  # somebody switched it off in this process
        return False


def missing_grammars(paths: Iterable[str]) -> list[str]:
    """`functions and settings in TypeScript and Go (312 files), which need …`; empty if nothing is missing."""
    if grammars_installed():
        return []
    from cairn.lib.code.languages import LANGUAGES

    languages = (GRAMMARS.get(path.rpartition(".")[2].lower()) for path in paths)
    files = Counter(LANGUAGES[language].title for language in languages if language)
    many = [(title, number) for title, number in files.most_common() if number >= _ENOUGH]
    if not many:
        return []
    total = sum(number for _, number in many)
    return [f"definitions in {_listed([title for title, _ in many])} ({total:,} files; {_INSTALL})"]


_INSTALL = "they need the extra `code`: `pip install 'cairn-kb[code]'`"


def _listed(titles: list[str]) -> str:
    shown = titles if len(titles) <= _SHOWN else [*titles[: _SHOWN - 1], f"{len(titles) - _SHOWN + 1} more languages"]
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]
