"""The full story, chapter by chapter. A feature that wants to be in it adds a chapter to `CHAPTERS`."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cairn.workspace.demo.agents import (
    an_agent_asks,
    it_says_otherwise,
    request_of,
    three_agents,
    what_was_learned,
    what_was_missing,
)
from cairn.workspace.demo.site import Site, serving
from cairn.workspace.demo.stage import STILL_HOLDS, STILL_TRUE, Stage, replay, talk, unpack, web_answers, web_entries
from cairn.workspace.demo.trust import trust_is_earned, trust_is_lost


class PlantedFault(NamedTuple):
    """Something wrong that the sample has on purpose."""

    path: str
    analyzer: str
    what: str


# Planted by hand in the sample; a test holds `cairn check` to find each of them, and nothing else.
FAULTS: tuple[PlantedFault, ...] = (
    PlantedFault("docs/guides/ordering.md", "reference-broken", "a link to payments.md; the page is payment.md"),
    PlantedFault("docs/operations.md", "reference-broken", "a link to a runbook that was moved into a folder"),
    PlantedFault(".claude/commands/release.md", "reference-broken", "a mention of an agent whose name is misspelled"),
    PlantedFault(".claude/commands/review.md", "name-reserved", "a command whose name the agent host keeps for itself"),
    PlantedFault(".claude/skills/proof-dough/SKILL.md", "name-collision", "two skills with one name"),
    PlantedFault(
        ".claude/agents/delivery-planner.md", "frontmatter-parse-error", "a colon too much in the frontmatter"
    ),
    PlantedFault("docs/guides/glossary.md", "link-self-loop", "a page that links to itself"),
)

PAGE = "map.html"
MOVED, MOVED_TO = "docs/runbooks/refund.md", "docs/runbooks/money-back.md"


VERSION = "knowledge/VERSION"
CARDS = "knowledge/payment/card-limits.md"
LABELS = "knowledge/rules/allergen-labels.md"
VANS = "knowledge/delivery/vans-in-town.md"

WEB_CHANGES = (
    ("/cards/terms", "up to 100 payments", "up to 60 payments"),
    ("/rules/allergens", "14 allergens", "15 allergens"),
    ("/town/vans", "until 11 a.m.", "until 1 a.m."),
    ("/mill/orders", "until 4 p.m.", "until 4 p.m., by telephone only."),
)


class Chapter(NamedTuple):
    title: str
    tell: Callable[[Stage], None]


def a_bakery(stage: Stage) -> None:
    count = unpack(stage.folder)
    stage.say(
        f"Sourdough is a little bakery with an order service. Its repository has {count} files: guides, runbooks and "
        "decisions for people, and agents, commands and skills for the machines that help them. It is now in "
        f"{stage.folder}."
    )
    stage.git("init", "--quiet")
    stage.sign()
    stage.git("add", "--all")
    stage.git("commit", "--quiet", "--message", "Start the bakery")


def a_workspace(stage: Stage) -> None:
    stage.say("Cairn writes into one folder, .cairn, and says what. Then it looks at everything once.")
    stage.cairn("init")
    stage.say(
        "Scanning again reads nothing: a file with the same size, time and inode is the same file. It ends with 1, "
        "because the graph has errors in it."
    )
    stage.cairn("scan", ends=1)


def what_is_wrong(stage: Stage) -> None:
    stage.say(
        f"We planted {len(FAULTS)} faults. Here they are by file and line, with the evidence and a fix. Without -v, "
        "`check` leaves out notes."
    )
    stage.cairn("check", "-v", ends=1)


def a_picture(stage: Stage) -> None:
    stage.say("The whole bakery on one page, which opens in a browser without a network.")
    stage.cairn("graph", "--format", "html", "-o", PAGE)


def an_edit(stage: Stage) -> None:
    stage.say("Somebody mends the link to the payment page, and adds one to a page that they mean to write one day.")
    stage.edit(
        "docs/guides/ordering.md",
        ("([payment](payments.md))", "([payment](payment.md))"),
        ("a new order and a refund.", "a new order and a [refund](refunding.md)."),
    )
    stage.say("One file changed, so one file is read.")
    stage.cairn("scan", ends=1)
    stage.say("The old fault of that page is gone, the new one is named.")
    stage.cairn("check", "--node", "docs/guides/ordering.md", ends=1)


def a_rename(stage: Stage) -> None:
    stage.say("The refund runbook gets a name that people look for. Nobody thinks of the pages that link to it.")
    stage.git("mv", MOVED, MOVED_TO)
    stage.say("Cairn sees that it is the same page in another place.")
    stage.cairn("scan", ends=1)
    stage.say("And it names every reference that the move broke, beside those that were broken before.")
    stage.cairn("check", "--analyzers", "reference-broken", ends=1)


def mending(stage: Stage) -> None:
    stage.say("So we mend them, all of them.")
    stage.edit(".claude/agents/order-taker.md", ("runbooks/refund.md", "runbooks/money-back.md"))
    stage.edit(".claude/skills/write-runbook/SKILL.md", ("runbooks/refund.md", "runbooks/money-back.md"))
    stage.edit("docs/runbooks/payment-provider-down.md", ("(refund.md)", "(money-back.md)"))
    stage.edit(
        "docs/operations.md",
        ("runbooks/refund.md", "runbooks/money-back.md"),
        ("runbooks/oven-offline.md", "runbooks/ovens/oven-offline.md"),
    )
    stage.edit("docs/guides/ordering.md", ("(refunding.md)", "(../runbooks/money-back.md)"))
    stage.edit(".claude/commands/release.md", ("@delivery-planer", "@delivery-planner"))
    stage.cairn("check", "--analyzers", "reference-broken")


def the_code_moves_on(stage: Stage) -> None:
    stage.git("add", "--all")
    stage.git("commit", "--quiet", "--message", "Mend the links")
    stage.say(
        "Pages say things about code. Somebody finds that the ovens need longer to get their heat back, gives a flag "
        "another name, and holds unpaid orders a little less long. They think of the code only."
    )
    stage.edit("sourdough/night.py", ("REST_MINUTES = 20", "REST_MINUTES = 30"), ("--preview", "--dry-run"))
    stage.edit("sourdough/orders.py", ("HOLD_MINUTES = 30", "HOLD_MINUTES = 20"))
    stage.say("Before the commit, Cairn names the sentences that this makes doubtful, and what is behind each.")
    stage.cairn("check", "--diff", "HEAD", ends=1)
    stage.say("So the pages are changed with the code. An entry that declares its sources gets stamped as well.")
    stage.edit("docs/guides/night-plan.md", ("which is 20", "which is 30"), ("--preview", "--dry-run"))
    stage.edit("knowledge/orders/order-holds.md", ("within 30 minutes", "within 20 minutes"))
    stage.cairn("freshness", "stamp", "knowledge/orders/order-holds.md")
    stage.cairn("check", "--diff", "HEAD")
    stage.git("commit", "--quiet", "--all", "--message", "Let the ovens rest longer")


def the_web_moves_on(stage: Stage) -> None:
    site = stage.until_the_end(serving(Site()))
    site.restless.add("/market/times")
    stage.set(CAIRN_FETCH_ALLOW=site.place, CAIRN_FRESHNESS__PLAIN="off")
    stage.say(
        "The bakery also writes down what others decide: the card service, the town, the mill. Seven entries cite "
        f"their pages. The demo serves those itself, at {site.url}, and vouches for that place with CAIRN_FETCH_ALLOW; "
        "else Cairn does not fetch anything from this machine, whatever an entry says. Links of the guides lead to the "
        "real web, so they are left alone (CAIRN_FRESHNESS__PLAIN=off)."
    )
    for path, text in web_entries(site.url):
        stage.write(path, text)
    stage.write(VERSION, "0.1.0\n")
    stage.git("add", "--all")
    stage.git("commit", "--quiet", "--message", "Write down what others decide")
    stage.say("The first night keeps what the pages say. Nobody can tell yet whether anything changed.")
    stage.cairn("freshness", "run", "--quiet")
    stage.say("The second one compares. All is as it was, and one request says so for all entries.")
    stage.cairn("freshness", "run")
    stage.cairn("change", "merge", request_of(stage, "confirmations"))
    _change_the_web(stage, site)
    stage.say(
        "Without a model, Cairn calls only lost facts drift: four entries state a number that their page no longer "
        "has. The sentence of the mill changed in another way. What that means takes a reader, so both texts are shown."
    )
    stage.cairn("freshness", "run", "--dry-run", ends=1)
    stage.say(
        "The third night opens requests about what is proven, and asks a reader about all five. Two entries have one "
        "cause, so they share a request."
    )
    stage.cairn("freshness", "run", ends=1)
    stage.say(
        "The answers of this story are recorded, so it needs no key. The reader finds that the entry about the mill is "
        "still right. For the others it writes the sentence that is right now, and the requests are brought up to date."
    )
    replay(stage, STILL_TRUE, web_answers())
    stage.say("And are all pages still there?")
    stage.cairn("freshness", "link-check", "--all", ends=1)


def _change_the_web(stage: Stage, site: Site) -> None:
    stage.say(
        "Then the card service lowers its limit, the rules get one more allergen, the town makes a typing error, and "
        "the mill takes orders by telephone only. That is not all: the mill has its whole site redesigned, the market "
        "greets every visitor with another number, and the guild loses a page."
    )
    for path, old, new in WEB_CHANGES:
        before = next(text for text in site.pages[path] if old in text)
        site.change(path, old, new)
        stage.show_change(site.url + path, before, before.replace(old, new))
    site.redesigned.add("/mill/orders")
    site.take_down("/guild/flues")


def people_decide(stage: Stage) -> None:
    cards, labels, vans = (request_of(stage, path) for path in (CARDS, LABELS, VANS))
    stage.say("No page has changed yet: requests are branches beside yours. The lower limit is right, so it is merged.")
    stage.cairn("change", "diff", cards)
    stage.cairn("change", "merge", cards)
    stage.say("About the labels one number is new, but the reader rewrote half of the page. A gate won't have that.")
    stage.cairn("change", "merge", labels, ends=1)
    stage.say("Vans until one in the morning? That was merged too quickly, and is taken back.")
    stage.cairn("change", "merge", vans)
    stage.cairn("change", "revert", vans)
    stage.cairn("change", "merge", request_of(stage, "revert"))
    stage.say("Merges raise the version of the corpus. For all of them together there is one more request.")
    stage.cairn("change", "merge", request_of(stage, "bump"))
    stage.git("log", "-1", "--format=%s")
    stage.say("Another night. What waits is not asked for twice, and what was taken back not again.")
    stage.cairn("freshness", "run", ends=1)


PLAN: Final = "docs/guides/night-plan.md"
LARGEST, SMALLEST = ("the largest order first", "the smallest order first")


def only_a_reader_can_tell(stage: Stage) -> None:
    stage.say(
        "Small orders are to be baked first, since they are picked up early. That changes one word of the code, and no "
        "name or value that a page states, so nothing proves that a page is wrong. With --judge, a reader is asked "
        "about the sentences that name what changed."
    )
    stage.edit("sourdough/night.py", ("sorted(orders, reverse=True)", "sorted(orders)"))
    stage.cairn("check", "--diff", "HEAD", "--judge")
    replay(stage, STILL_HOLDS, {PLAN: talk("night-plan-answer.json", {})})
    stage.say("The answer quotes the line that proves it, and has the sentence as it should be.")
    stage.cairn("check", "--diff", "HEAD", "--judge", ends=1)
    stage.edit(PLAN, (LARGEST, SMALLEST))
    stage.git("commit", "--quiet", "--all", "--message", "Bake small orders first")


def a_year(stage: Stage) -> None:
    stage.say(
        "Is that bearable for a year? Here is one, played on a clock that jumps: pages change, mostly around what "
        "matters, and people answer, or don't. The first weeks pay debts of the time before; then it gets quiet."
    )
    stage.cairn("demo", "--year")


def finding_it_again(stage: Stage) -> None:
    stage.say("What somebody wrote down is worth as much as it is found again. Ask as you would ask a colleague.")
    stage.cairn("search", "how long does an oven rest between batches?", "--limit", "2")
    stage.say("And when nothing fits, it says so, instead of something that merely looks alike.")
    stage.cairn("search", "vacation days of the accountant")


def the_morning_after(stage: Stage) -> None:
    stage.say(
        "This is the page for the morning: what waits (also the planner's lost turn), what happened, how things are."
    )
    stage.cairn("status")
    stage.say(
        "The two skills with one name can wait. A baseline writes down what is known, so that a build fails only on "
        "what is new."
    )
    stage.cairn("check", "--baseline", ".cairn/baseline.json")
    stage.say("And the map of the bakery as it is now.")
    stage.cairn("graph", "--format", "html", "-o", PAGE, "--force")


CHAPTERS: tuple[Chapter, ...] = (
    Chapter("A bakery", a_bakery),
    Chapter("A workspace", a_workspace),
    Chapter("What is wrong", what_is_wrong),
    Chapter("A picture", a_picture),
    Chapter("An edit", an_edit),
    Chapter("A rename", a_rename),
    Chapter("Mending", mending),
    Chapter("The code moves on", the_code_moves_on),
    Chapter("Finding it again", finding_it_again),
    Chapter("Three agents", three_agents),
    Chapter("What was missing", what_was_missing),
    Chapter("What was learned", what_was_learned),
    Chapter("It says otherwise", it_says_otherwise),
    Chapter("An agent asks", an_agent_asks),
    Chapter("The web moves on", the_web_moves_on),
    Chapter("People decide", people_decide),
    Chapter("Only a reader can tell", only_a_reader_can_tell),
    Chapter("Trust is earned", trust_is_earned),
    Chapter("And lost", trust_is_lost),
    Chapter("A year", a_year),
    Chapter("The morning after", the_morning_after),
)


def tell(stage: Stage, chapters: Sequence[Chapter]) -> None:
    with stage:
        for number, chapter in enumerate(chapters, 1):
            stage.open_chapter(number, chapter.title)
            chapter.tell(stage)
            stage.close_chapter()


KEPT = "Hold wedding orders for 48 hours, because the couple pays after the tasting."
_ONE_FINDING = 5
"""Lines; the other findings look the same."""
LEARNED = "knowledge/practice/hold-wedding-orders-because-the-couple-pays-after-the.md"


def try_it(stage: Stage) -> None:
    count = unpack(stage.folder)
    stage.start_repository("Start the bakery")
    stage.say(
        f"Sourdough is a small bakery, with {count} files of code, pages and skills for agents. `cairn try` prints "
        "what is wrong in them, and writes nothing."
    )
    stage.brief("try", first=_ONE_FINDING)


def change_the_code(stage: Stage) -> None:
    stage.say("A workspace is one folder, `.cairn`.")
    stage.brief("init")
    stage.say("Somebody changes a constant, and forgets the page that states its value.")
    stage.edit("sourdough/night.py", ("REST_MINUTES = 20", "REST_MINUTES = 30"))
    stage.brief("check", "--diff", "HEAD", ends=1)
    stage.edit("docs/guides/night-plan.md", ("which is 20", "which is 30"))
    stage.brief("check", "--diff", "HEAD")


def learn(stage: Stage) -> None:
    stage.say("An agent is corrected, and keeps that as a change request, which you merge.")
    stage.brief("note", "--keep", KEPT)
    stage.brief("curate")
    stage.brief("change", "list")
    stage.brief("change", "merge", request_of(stage, LEARNED))
    stage.say("The next agent, or person, finds it. In `cairn demo --full` a reader joins in.")
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
