"""The short story of the demo: what Cairn finds, what a change makes false, what agents learn, and the map."""

from cairn.workspace.demo.chapters import PAGE, Chapter
from cairn.workspace.demo.requests import request_of
from cairn.workspace.demo.stage import Stage
from cairn.workspace.demo.unpack import unpack

KEPT = "Hold wedding orders for 48 hours, because the couple pays after the tasting."
_TWO_FINDINGS = 12
"""Lines; the other findings look the same."""
LEARNED = "knowledge/practice/hold-wedding-orders-because-the-couple-pays-after-the.md"


def try_it(stage: Stage) -> None:
    count = unpack(stage.folder)
    stage.start_repository("Start the bakery")
    stage.say(
        f"Sourdough is a small bakery. Its repository has {count} files: code, pages for people, and agents, commands "
        "and skills for coding agents. `cairn try` prints what is wrong in it, and writes nothing."
    )
    stage.brief("try", first=_TWO_FINDINGS)


def change_the_code(stage: Stage) -> None:
    stage.say("A workspace is one folder, `.cairn`.")
    stage.brief("init")
    stage.say("Somebody changes a constant, and forgets the page that states its value.")
    stage.edit("sourdough/night.py", ("REST_MINUTES = 20", "REST_MINUTES = 30"))
    stage.brief("check", "--diff", "HEAD", ends=1)
    stage.edit("docs/guides/night-plan.md", ("which is 20", "which is 30"))
    stage.brief("check", "--diff", "HEAD")


def learn(stage: Stage) -> None:
    stage.say("An agent is corrected, and asked to keep the correction. It becomes a change request, which you merge.")
    stage.brief("note", "--keep", KEPT)
    stage.brief("curate")
    stage.brief("change", "list")
    stage.brief("change", "merge", request_of(stage, LEARNED))
    stage.say("The next agent, or person, finds it.")
    stage.brief("search", "how long do we hold a wedding order?", "--limit", "1")


def draw_the_map(stage: Stage) -> None:
    stage.say("The map shows every folder and document. It is one page that needs no network.")
    stage.brief("graph", "--format", "html", "-o", PAGE)


SHORT: tuple[Chapter, ...] = (
    Chapter("Try it", try_it),
    Chapter("Change the code", change_the_code),
    Chapter("Learn", learn),
    Chapter("Draw the map", draw_the_map),
)
