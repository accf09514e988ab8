"""Lists the traits of a passage: its words, and the classes of words, addresses, paths and secrets in it."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Final, NamedTuple

_COMMON: Final = """
amazon.com amazonaws.com anthropic.com apache.org astral.sh atlassian.net azure.com bitbucket.org brew.sh bun.sh
chocolatey.org claude.ai claude.com cloudflare.com codecov.io cursor.com datadoghq.com debian.org deno.land
docker.com docker.io elastic.co elixir-lang.org fly.io ghcr.io github.com githubusercontent.com gitlab.com gnu.org
go.dev golang.org google.com googleapis.com grafana.com hashicorp.com haskell.org helm.sh heroku.com huggingface.co
jetbrains.com json-schema.org k8s.io kubernetes.io medium.com microsoft.com modelcontextprotocol.io mozilla.org
netlify.com nextjs.org nixos.org nodejs.org nodesource.com npmjs.com npmjs.org openai.com opencode.ai pnpm.io
pypi.org python-poetry.org python.org react.dev rustup.rs schemastore.org scoop.sh sdkman.io sentry.io shields.io
slack.com stackoverflow.com stripe.com supabase.com terraform.io ubuntu.com vercel.com volta.sh w3.org wikipedia.org
yarnpkg.com youtube.com
"""
_KNOWN: Final = re.compile(r"(?:^|\.)(?:" + "|".join(map(re.escape, _COMMON.split())) + ")$")
_LOCAL: Final = re.compile(
    r"localhost|127\.|0\.0\.0\.0|\[|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^.]+$"
    r"|.*\.(?:local|internal|localhost|svc)$"
)
_ENTITY: Final = re.compile(
    r"""
  (?P<unseen>\bdisplay:\s*none|\bfont-size:\s*0|\bopacity:\s*0\b|^\[(?://|comment)\]:)
| (?P<shell>/dev/tcp/\S+|bash\ -i\ >&)
| (?P<pipe>\|\s*(?:sudo\s+(?:-\S+\s+)?)?(?:ba|z|da)?sh\b|\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|iex)\b
    |<\(\s*(?:curl|wget)|\$\(\s*(?:curl|wget)\b|\bexec\(\s*(?:requests|\w+\.urlopen|__import__)|\beval\ get\(
    |then\(eval\))
| (?P<url>\b(?:https?|hxxps?|s?ftp|wss?|git|scp|tcp|s3|gs)://[^\s)>\]"'`，。、]+)
| (?P<mail>\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})
| (?P<secret>(?:[~.$\w{}/*-]{0,80}/)?(?:\.ssh\b(?:/[\w.*]+)?|id_rsa\b|id_ed25519\b(?!\.pub)|\.aws/\w+|\.netrc\b
    |\.npmrc\b|\.pypirc\b|\.git-credentials\b|\.env(?!\.(?:example|sample|template|dist|test)|\w)(?:\.\w+)?
    |kubeconfig\b|\.kube\b(?:/config)?|\.gnupg\b|etc/(?:shadow|passwd)\b|\.docker/config\S*|\.vault-token
    |\.bash_history|\.zsh_history|wallet\.dat|cookies\.sqlite|login\ data\b|master\.key
    |credentials\.(?:json|xml|ya?ml)|secrets?\.(?:json|ya?ml|toml)|\.config/(?:gh|gcloud)\S*|proc/\S+/environ
    |auth\.json))
| (?P<variable>\$?\{?\b(?-i:[A-Z][A-Z0-9_]*?(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)[A-Z_]*)\b\}?)
| (?P<environment>\b(?:printenv|os\.environ|process\.env\b(?!\.\w)|tojson\(secrets\)))
| (?P<number>\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?(?:/\S*)?)
| (?P<host>(?<![.\w/@-])
    (?!\S{0,80}\.(?:env|ya?ml|json|toml|conf|ini|cfg|js|ts|py|php|rb|sh|xml|properties|config)\.example)
    (?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}(?:example|com|net|org|io|app|xyz|info|top|cloud|site|online|club|biz|ru
    |cn|su|tk)\b(?::\d+)?(?:/[^\s)>\]"'`，。、]*)?)
| (?P<file>(?:~|\.{1,2})?/[\w.@+*{}$-][\w./@+*{}$-]*|\b[\w-]{1,80}(?:/[\w.-]+)+|\b[\w-]{1,80}\.(?:md|txt|log|json|ya?ml
    |toml|py|js|ts|tsx|sh|ps1|exe|bin|elf|so|ini|cfg|lock|csv|sql|sqlite|html|png|zip|tar|gz|msi|deb|vsix|crx|pkl|wasm)\b)
""",
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN_WORDS: Final = {
    "unseen": "UNSEEN",
    "shell": "REVSHELL",
    "pipe": "PIPESH",
    "mail": "MAIL",
    "secret": "SECRETFILE",
    "variable": "SECRETVAR",
    "environment": "ENVALL",
    "file": "FILE",
}
_IN_QUERY: Final = re.compile(r"[?&]\w+=(?:\W?$|[<{$])")
_NUMERIC: Final = re.compile(r"\d+\.\d+\.\d+\.\d+$")
_UNUSUAL: Final = frozenset({"http", "hxxp", "ftp", "sftp", "tcp", "git", "wss", "ws", "scp"})

ENTITIES: Final = frozenset(
    {*_PLAIN_WORDS.values(), "URLOTHER", "URLPLAIN", "URLIP", "URLLOCAL", "URLKNOWN", "URLQ", "IPADDR", "HOST"}
)


def with_entities(text: str) -> str:
    return _ENTITY.sub(lambda hit: f" {_word(hit)} ", text)


def _word(hit: re.Match[str]) -> str:
    kind, found = hit.lastgroup or "", hit[0]
    if kind in _PLAIN_WORDS:
        return _PLAIN_WORDS[kind]
    if kind == "url":
        return _address(found)
    if kind == "number":
        return "URLLOCAL" if _LOCAL.match(found) else "IPADDR"
    return "URLKNOWN" if _KNOWN.search(re.split("[:/]", found)[0].lower()) else "HOST"


def _address(url: str) -> str:
    scheme, rest = url.split("://", 1)
    host = re.split("[/?#]", rest, maxsplit=1)[0].rsplit("@", 1)[-1].split(":")[0].lower()
    query = " URLQ" if _IN_QUERY.search(url) else ""
    if _LOCAL.match(host):
        return f"URLLOCAL{query}"
    if _KNOWN.search(host):
        return f"URLKNOWN{query}"
    if _NUMERIC.match(host):
        return f"URLIP URLOTHER{query}"
    return f"{'URLPLAIN ' if scheme.lower() in _UNUSUAL else ''}URLOTHER{query}"


_FAR: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_FAR_CHARACTER: Final = re.compile(f"[{_FAR}]")
_FAR_RUN: Final = re.compile(f"[{_FAR}]+")
_FAR_LANGUAGES: Final = frozenset({"zh", "ja", "ko"})
_TOKEN: Final = re.compile(r"[A-Z]{4,}\b|--?[a-zA-Z][\w-]*|[^\W\d_]+(?:[-'][^\W\d_]+)*:?|\d+|<!--|[^\w\s]")
_DIGITS_AS_LETTERS: Final = str.maketrans("013457@$", "oieastas")
_DISGUISED: Final = re.compile(r"\b(?=\w*[a-z])[a-z]*[013457@$][a-z013457@$]*\b", re.IGNORECASE)
_SPACED: Final = re.compile(r"\b(?:\w ){3,}\w\b")
_QUOTED: Final = re.compile(r"[\"“„«「][^\"”“»」\n]{8,}[\"”“»」]")
_MOST_FOR_TRIPLES: Final = 12
_NEAR: Final = 4

Placed = tuple[int, str]
"""A class and the number of the word that belongs to it."""


class Lexicon(NamedTuple):
    words: dict[str, frozenset[str]]
    beginnings: dict[str, frozenset[str]]
    lengths: tuple[int, ...]
    """Of the beginnings."""
    far: dict[str, frozenset[str]]
    """Words of languages that are written without blanks."""
    far_pattern: "re.Pattern[str]"


@cache
def lexicon() -> Lexicon:
    words: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    far: dict[str, set[str]] = {}
    for name, language, word in _table():
        if language in _FAR_LANGUAGES:
            far.setdefault(word.replace("_", " "), set()).add(name)
        elif word.endswith("*"):
            beginnings.setdefault(word[:-1], set()).add(name)
        else:
            words.setdefault(word, set()).add(name)
    pattern = "|".join(sorted(map(re.escape, far), key=len, reverse=True))
    return Lexicon(
        _frozen(words),
        _frozen(beginnings),
        tuple(sorted({len(word) for word in beginnings})),
        _frozen(far),
        re.compile(f"(?=({pattern}))"),
    )


def _table() -> Iterator[tuple[str, str, str]]:
    table = tomllib.loads((files("cairn.lib.injection") / "instructions.toml").read_text("utf-8"))
    for name, languages in table.items():
        for language, words in languages.items():
            for word in words.split():
                yield name, language, word if word in ENTITIES else word.lower()


def _frozen(found: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {word: frozenset(names) for word, names in found.items()}


# --- words ------------------------------------------------------------------------------------------------------------


def tokens(text: str) -> list[str]:
    plain = with_entities(_SPACED.sub(lambda hit: hit[0].replace(" ", ""), text).replace("`", "").replace("*", ""))
    plain = _DISGUISED.sub(lambda hit: undisguised(hit[0].lower()), plain)
    return [word if word in ENTITIES else word.lower() for word in _TOKEN.findall(plain)]


def undisguised(word: str) -> str:
    """`s3nd` as `send`, where that is a word that counts."""
    plain = word.translate(_DIGITS_AS_LETTERS)
    return plain if classes_of(plain) else word


@cache
def _classes_by_beginning(beginning: str) -> frozenset[str]:
    known = lexicon()
    return frozenset().union(*(known.beginnings.get(beginning[:length], ()) for length in known.lengths))


def classes_of(word: str) -> frozenset[str]:
    bare = word[:-1] if word.endswith(":") and len(word) > 1 else word
    known = lexicon()
    longest = known.lengths[-1] if known.lengths else 0
    own = known.words.get(word, frozenset()) | known.words.get(bare, frozenset())
    return own | _classes_by_beginning(bare[:longest])


def far_pieces(text: str) -> Iterator[str]:
    """Pairs and triples of characters, where no blank separates words."""
    for run in _FAR_RUN.findall(text):
        for size in (2, 3):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))


# --- traits -----------------------------------------------------------------------------------------------------------


def traits(text: str) -> set[str]:
    """`text` without unseen characters, as `cairn.lib.injection.marks` prepares it."""
    words = tokens(text)
    classes = [_classes_at(words, at) for at in range(len(words))]
    placed = [(at, name) for at, names in enumerate(classes) for name in sorted(names)]
    found: set[str] = set()
    if _FAR_CHARACTER.search(text):
        placed += _far_classes(text)
        found.update(f"K{piece}" for piece in far_pieces(text.lower()))
    present = sorted({name for _, name in placed})
    found.update(_word_traits(words, classes))
    found.update(_class_traits(present, placed))
    found.update(_opening(words, classes))
    found.update(_quoted(text, present))
    return found


def classes_in(text: str) -> set[str]:
    return {trait[1:] for trait in traits(text) if trait.startswith("C")}


def _classes_at(words: Sequence[str], at: int) -> frozenset[str]:
    own = classes_of(words[at])
    return own | lexicon().words.get(f"{words[at - 1]}_{words[at]}", frozenset()) if at else own


def _far_classes(text: str) -> list[Placed]:
    known = lexicon()
    return [
        (hit.start() // _NEAR, name)
        for hit in known.far_pattern.finditer(text.lower())
        for name in sorted(known.far[hit[1]])
    ]


def _word_traits(words: Sequence[str], classes: Sequence[frozenset[str]]) -> Iterator[str]:
    short = [word[:5] for word in words]
    for at, word in enumerate(words):
        if _FAR_CHARACTER.match(word):
            continue
        yield f"U{word}"
        if len(word) > len(short[at]):
            yield f"P{short[at]}"
        yield from (f"{'B' if back == 1 else 'S'}{short[at - back]} {short[at]}" for back in (1, 2, 3) if at >= back)
        for name in classes[at]:
            if at:
                yield f"X{short[at - 1]} {name}"
            if at + 1 < len(words):
                yield f"Y{name} {short[at + 1]}"


def _class_traits(present: Sequence[str], placed: Sequence[Placed]) -> Iterator[str]:
    yield from (f"C{name}" for name in present)
    yield from (f"D{one} {other}" for one, other in combinations(present, 2))
    if len(present) <= _MOST_FOR_TRIPLES:
        yield from (f"T{' '.join(three)}" for three in combinations(present, 3))
    for number, (at, name) in enumerate(placed):
        for later, other in placed[number + 1 :]:
            if later - at > _NEAR:
                break
            if name != other:
                yield f"N{name}>{other}"


def _opening(words: Sequence[str], classes: Sequence[frozenset[str]]) -> Iterator[str]:
    """An order begins with its verb."""
    if words:
        yield f"G{words[0][:6]}"
        yield from (f"F{name}" for name in classes[0])
        yield from (f"H{name}" for names in classes[:3] for name in names)


def _quoted(text: str, present: Sequence[str]) -> Iterator[str]:
    """A quoted order is usually an example in a text about security."""
    for hit in _QUOTED.finditer(text):
        yield "QQ"
        yield from (f"Q{name}" for word in tokens(hit[0]) for name in classes_of(word))
        if _FAR_CHARACTER.search(hit[0]):
            yield from (f"Q{name}" for _, name in _far_classes(hit[0]))
        yield from (f"R{name}" for name in present)
