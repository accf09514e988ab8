"""The corpora of a workspace: as the settings say, else as the files show."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from posixpath import join, normpath
from typing import TYPE_CHECKING, Any

from cairn.core.model.corpus import Corpus
from cairn.core.ports.files import Files, ReadFailed, WalkRequest
from cairn.errors import ConfigError
from cairn.lib.document.outline import DOCUMENTS

if TYPE_CHECKING:
    from cairn.core.ports.runtime import Settings

NEW = Corpus("knowledge", "knowledge", "entries")
"""Where pages go in a workspace that has no other place for them. The first page creates the folder, so settings don't
name it before."""
ASIDE = Corpus("entries", "knowledge/entries", "entries")
"""The same where somebody has put other pages there."""


def configured(settings: "Settings") -> tuple[Corpus, ...]:
    """Those of the settings, in order of their roots; none when the settings don't speak of any."""
    corpora = [_corpus(name, said) for name, said in settings.mapping("corpora").items()]
    corpora.sort(key=lambda corpus: (corpus.root, corpus.name))
    for one, other in pairwise(corpora):
        if one.root == other.root:
            raise _twice(settings, one, other)
    return tuple(corpora)


def _corpus(name: str, said: Mapping[str, Any]) -> Corpus:
    root = normpath(said.get("root") or name)
    sections = said.get("required_sections")
    asked = None if sections is None else tuple(sections)
    return Corpus(name, "" if root == "." else root, said.get("layout") or "entries", asked)


def with_forms(corpora: tuple[Corpus, ...], exists: Callable[[str], bool]) -> tuple[Corpus, ...]:
    """Bases of nodes that have an `ENTRY.md` are trees."""
    return tuple(corpus._replace(tree=_is_tree(corpus, exists)) for corpus in corpora)


def _is_tree(corpus: Corpus, exists: Callable[[str], bool]) -> bool:
    return corpus.layout == "nodes" and exists(join(corpus.root, "ENTRY.md"))


def made_documents(settings: "Settings") -> tuple[str, ...]:
    """Patterns for the documents that are made of the nodes of a base. They have the words of all its pages, so in a
    graph they would be the answer to every question."""
    corpora = (_corpus(name, said) for name, said in settings.mapping("corpora").items())
    roots = [corpus.root for corpus in corpora if corpus.layout == "nodes"]
    names = ("INDEX.md", "GRAPH.md", "ENTRY.md")
    made = [f"/{_literally(join(root, name))}" for root in roots for name in names]
    return (*made, *(f"/{_literally(join(root, 'nodes'))}/**/index.md" for root in roots))


def _literally(path: str) -> str:
    return "".join(f"\\{char}" if char in "\\*?[] " else char for char in path)


def _twice(settings: "Settings", one: Corpus, other: Corpus) -> ConfigError:
    folder = f"the folder `{one.root}`" if one.root else "the whole repository"
    where = next((str(settings.source(key)) for key in settings.values if key.startswith(f"corpora.{other.name}.")), "")
    return ConfigError(
        f"{where}: the corpora `{one.name}` (layout {one.layout}) and `{other.name}` (layout {other.layout}) both "
        f"have {folder}; a folder has one layout, so remove one of them or give it a root of its own",
        corpora=[one.name, other.name],
    )


def must_be_folders(corpora: tuple[Corpus, ...], is_file: Callable[[str], bool]) -> None:
    for corpus in corpora:
        if corpus.root and is_file(corpus.root):
            raise ConfigError(
                f"the root of the corpus `{corpus.name}` is `{corpus.root}`, which is a file; name the folder that "
                f"the pages lie in, for example `cairn config set corpora.{corpus.name}.root {_folder(corpus.root)}`",
                corpus=corpus.name,
            )


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "docs"


def detected(files: Files, request: WalkRequest) -> tuple[Corpus, ...]:
    """Those that a walk over the repository finds."""
    from cairn.knowledge.detect import detect

    walk = files.walk(request._replace(suffixes=(*DOCUMENTS, "index.json")))
    return detect([file.path for file in walk.files], lambda path: text_of(files, path))


def text_of(files: Files, path: str) -> str:
    """Empty when the file cannot be read: whoever needs it then says why."""
    try:
        return files.read(path)[0].decode("utf-8", "replace")
    except ReadFailed:
        return ""


def with_a_place_to_write(found: tuple[Corpus, ...]) -> tuple[Corpus, ...]:
    """Documentation of somebody else's is no place for what agents write, so a corpus of entries is added to it."""
    if any(corpus.layout != "plain" for corpus in found):
        return found
    taken = any(NEW.name == corpus.name or NEW.root == corpus.root for corpus in found)
    return (*found, ASIDE if taken else NEW)


def with_first_pages(found: tuple[Corpus, ...], exists: Callable[[str], bool]) -> tuple[Corpus, ...]:
    """With the place to write, once a page has created its folder: settings are not written for that."""
    return tuple(corpus for corpus in with_a_place_to_write(found) if corpus in found or exists(corpus.root))
