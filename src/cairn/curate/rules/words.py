"""Words that the rules know: verbs that say what to do, kinds of components, and what looks like a name in code."""

import re
from typing import Final


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


VERBS: Final = word_set(
    """
    add allow annotate append apply archive assert assign audit avoid ban batch build bump bundle cache call cap
    catch check clean clear close colocate commit compile compute configure copy cover create declare define delete
    deploy derive disable disallow document drop emit enable encode encrypt enforce escape export expose extend
    extract fail fetch filter fix flush follow forbid format freeze gate generate group guard handle hash hide hold
    host implement import include index inherit inject inline install isolate keep key label leave limit link lint
    list load localise localize lock log make mark measure merge migrate mirror mock model mount move name
    namespace nest normalise normalize omit open order own pack page paginate parse pass patch persist pin place
    post prefer prefix proxy publish pull push put queue quote raise read rebase record redact reference register
    reject release rely remove rename render repeat replace report represent request require reserve reset resolve
    restart restrict retry return reuse review roll rotate round route run sanitise sanitize save schedule scope
    seed send separate serialise serialize serve set ship sign skip snapshot sort specify split squash stage stay start
    state stick store strip stub style suffix support suppress tag target terminate test throw trace track
    translate treat trim trust type update upgrade upload use validate vendor verify version wait wrap write comment
    """
)

ONCE: Final = word_set(
    """
    add bump change clean clear close copy create delete drop extend extract fetch fill fix implement leave make merge
    move open patch refactor remove rename replace report reset revert rewrite roll set skip split start state try
    update upgrade wait write
    """
)
"""Verbs of tasks: what is done once is no rule, whatever its reason."""

COMPONENTS: Final = word_set(
    """
    service worker job module package class command script queue table cron handler controller middleware client
    server daemon scheduler consumer producer gateway proxy pipeline plugin adapter library component hook endpoint
    api cli parser compiler loader store database schema index cache bus broker bot agent runner engine driver
    resolver router renderer validator serializer collector exporter importer lambda function task topic bucket
    cluster config configuration settings fixture fixtures migrations migration frontend backend app application
    code logic tests helpers generator registry repository crate workflow ui dashboard webhook webhooks sync
    watcher poller builder manager provider system
    """
)

DOES: Final = (
    "handles|processes|sends|receives|reads|writes|stores|owns|manages|generates|renders|validates|schedules|runs|exposes"
    "|publishes|consumes|serves|parses|builds|collects|caches|routes|issues|imports|exports|syncs|polls|aggregates"
    "|deduplicates|retries|encrypts|signs|emits|talks to|listens (?:on|to|for)|wraps|calls|converts|resizes|indexes"
    "|loads|watches|forwards|authenticates|is responsible for|takes care of"
)

_NAME: Final = re.compile(
    r"`[^`\n]{1,100}`"
    r"|\b[\w.-]*/[\w./-]+"
    r"|\b[a-z]+_[a-z_0-9]+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b[A-Z]{2,}[a-z]*\d*\b"
    r"|\b\w+\.(?:py|ts|tsx|js|jsx|go|rs|java|rb|md|json|ya?ml|toml|sql|sh|css|html|lock|txt|ini|cfg|proto|graphql)\b"
)
PATH: Final = re.compile(
    r"`[^`\s]*[/.][^`\s]*`|`[^`\s]+`|\b[\w.-]*/[\w./*-]+|(?<!\w)\.?\w[\w-]*\.(?:py|ts|tsx|js|go|rs|java|rb|ya?ml|toml"
    r"|sql|sh|json)\b"
)
_ENDINGS: Final = ("ss", "us", "is")


def names_in(text: str) -> list[str]:
    """What looks like a name in code, in order."""
    return [found.strip("`").rstrip(".,") for found in _NAME.findall(text)]


_AS_WRITTEN: Final = re.compile(r"^\w*[_/.@:](?=\w)|^[a-z]+[A-Z]")


def begun(text: str) -> str:
    """As a sentence begins; a path or a name in code is another one with a capital letter."""
    return text if _AS_WRITTEN.match(text) else text[:1].upper() + text[1:]


_IRREGULAR: Final = word_set(
    """
    been begun broken built caught chosen come done drawn driven fallen felt found given gone got had heard held known
    left lost made meant met paid said seen sent shown spoken stood taken thought told took understood was were went
    won worn written saw ran did broke gave knew
    """
)
DURABLE: Final = word_set("use prefer avoid keep put name prefix suffix store treat call log stick stay pin sign")
"""Verbs of rules rather than of tasks."""
TASKS: Final = word_set(
    """
    allow analyse analyze build bring check complete compute continue convert debug deploy document explain finish
    find format generate help import improve install investigate load migrate parse port print profile
    read render review send show simplify summarise summarize support swap switch test translate tweak
    """
)


OTHERS: Final = word_set(
    """
    alter ask assume autogenerate backport block break buffer bypass capture cast chain clone coerce combine
    comment compare compose concatenate connect construct depend detach disallow discard downgrade duplicate
    edit embed eval execute expect force fork hand hard-code hardcode ignore increment infer initialise
    initialize instantiate interpolate invoke iterate leak listen lower manage map mask match memoise memoize
    mention mix modify mutate notify override overwrite pair parameterise parameterize pass perform pick poll
    prepare present preserve process produce propagate protect provide prune purge query rebuild recreate reduce
    refer refresh regenerate reindex reload reorder rerun rethrow reveal scale scan schedule select shadow share
    shorten silence sleep spawn stash stop stream subclass submit subscribe swallow sync talk tell toggle touch
    transform truncate turn uncomment unwrap watch
    abort accept access aggregate align allocate amend await back benchmark bind bring bubble calibrate cancel change
    charge choose chunk clamp clip collapse collect commit compress copy-paste count crop debounce decode decompress
    decrypt dedupe defer delay denormalise denormalize dereference deserialise deserialize dim dispatch dispose divide
    double draw drive dump emulate enqueue enter enumerate erase estimate evict exclude exit expand expire fall feed
    flag flatten fold free gitignore give go grant hang hook hot-fix impersonate indent insert inspect install
    interrupt join jump kill launch leave let lift mirror monkeypatch multiply name notarise notarize offer page
    partition paste pause peek pickle plot plug polyfill pop prefetch preload probe promote quantise quantize race
    raise reach react reallocate recycle redirect redraw reimplement replay repeat reply resample resize reopen resend
    respond restore resume retain retrain return revoke rewrite sample save seal search serialise signal simulate
    smooth solder spell spread stack stub subtract suspend swap switch synchronise synchronize take throttle time
    trigger uninstall unlock unsubscribe upsert vacuum vary warn weigh work yield zip
    """
)
"""More verbs that rules are made with, where `always` or `never` stands before them."""
KNOWN: Final = VERBS | ONCE | TASKS | OTHERS


ONE: Final = re.compile(
    r"^(?:a|an|that|this|these|those|my|your|his|her|its|some|another|one|two|both)\b", re.IGNORECASE
)
DET: Final = re.compile(r"^(?:the|a|an|that|this|my|your|his|her|its|some|another|one|two|both)\b", re.IGNORECASE)


def is_base(verb: str) -> bool:
    """Whether a word can begin an order: `run`, but not `runs`, `ran` or `running`."""
    word = verb.lower().strip("`,.")
    if word in KNOWN:
        return True
    if not word.isalpha() or len(word) < 2 or word in _IRREGULAR:
        return False
    return not (word.endswith(("ed", "ing", "ly")) or (word.endswith("s") and not word.endswith(_ENDINGS)))


_SHORT_PLURALS: Final = word_set("ids prs dbs vms")


def is_plural(noun: str) -> bool:
    word = noun.lower().strip("`,.")
    return (len(word) > 3 or word in _SHORT_PLURALS) and word.endswith("s") and not word.endswith(_ENDINGS)
