"""Makes repositories of Markdown to measure on: the same number gives the same bytes."""

import posixpath
import random
import subprocess
from pathlib import Path

_WORDS = (
    "an order is baked once and only once so the queue remembers what the oven has seen when a tray is late the "
    "watcher says which one and why nobody has to guess the ledger keeps every line short and every price whole"
).split()
_AREAS = ("orders", "ovens", "billing", "delivery", "recipes", "staff", "alerts", "reports")
_TOPICS = ("intake", "queue", "retry", "refund", "schedule", "forecast", "audit", "handover", "stock", "pricing")


def make(root: Path, files: int, *, seed: int = 1) -> None:
    """So many files of about 1.3 KB with seven references each, and a git repository around them."""
    rng = random.Random(f"{seed}/{files}")
    share = files * 15 // 100
    agents = [f"agent-{_TOPICS[i % 10]}-{i:06d}" for i in range(share)]
    commands = [f"do-{_TOPICS[i % 10]}-{i:06d}" for i in range(share)]
    skills = [f"skill-{_TOPICS[i % 10]}-{i:06d}" for i in range(share)]
    pages = [f"docs/{_AREAS[i % 8]}/{_TOPICS[i % 10]}-{i:06d}.md" for i in range(files - 3 * share)]
    kinds = {
        **{f".claude/agents/{name}.md": name for name in agents},
        **{f".claude/commands/{name}.md": name for name in commands},
        **{f".claude/skills/{name}/SKILL.md": name for name in skills},
        **dict.fromkeys(pages, ""),
    }
    paths = list(kinds)
    for path, name in kinds.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_page(rng, path, name, paths, agents, commands + skills))
    _commit(root)


def _page(rng: random.Random, path: str, name: str, paths: list[str], agents: list[str], verbs: list[str]) -> str:
    title = posixpath.basename(path).removesuffix(".md")
    head = [f"---\nname: {name}\ndescription: {_sentence(rng, 9)}\n---\n"] if name else []
    body = [f"# {title}\n", _sentence(rng, 20) + "\n"]
    for number in range(rng.randint(5, 9)):
        body.append(f"## Step {number}\n" if number % 3 == 0 else "")
        body.append(f"- {_sentence(rng, rng.randint(8, 22))[:-1]}, {_reference(rng, path, paths, agents, verbs)}.\n")
    if rng.random() < 0.3:
        body.append("```sh\nrun /not-a-command @nobody\n```\n")
    return "\n".join([*head, *body, _sentence(rng, 40), ""])


def _reference(rng: random.Random, path: str, paths: list[str], agents: list[str], verbs: list[str]) -> str:
    broken = rng.random() < 0.03
    form = rng.choices(("link", "code", "agent", "file", "verb", "url"), (34, 14, 14, 8, 20, 10))[0]
    target = posixpath.relpath(rng.choice(paths), posixpath.dirname(path) or ".")
    if broken:
        target = f"missing-{rng.randint(0, 10**6)}.md"
    match form:
        case "link":
            return f"see [{_sentence(rng, 3)[:-1]}]({target})"
        case "code":
            return f"first read `{target}`"
        case "agent":
            return f"ask @{'nobody-' if broken else ''}{rng.choice(agents) if agents else 'someone'}"
        case "file":
            return f"include @{target if target.startswith('.') else './' + target}"
        case "verb":
            return f"then /{'no-' if broken else ''}{rng.choice(verbs) if verbs else 'bake'}"
        case _:
            return f"as in https://example.com/{rng.choice(_TOPICS)}/{rng.randint(1, 99)}"


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."


def _commit(root: Path) -> None:
    # Housekeeping off: git would tidy up in the background, on the very cores that are about to be measured.
    alone = ("-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "maintenance.auto=false")
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", *alone)
    for args in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "corpus")):
        subprocess.run(["git", *identity, *args], cwd=root, check=True)
