"""Units, months and numbers in words; and words that alignment and search treat as equal or leave out.

No verdict rests on them: they only help to find passages that belong together.
"""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP = _set(
    """
    a an the this that these those it its they them their there here he she we you your our i is are was were
    be been being am do does did done has have had having of in on at to for from by with as into onto over
    under about and or but if then than so such which who whom whose what where how why also just very more
    much many one each any both own same other another per via while during within between through because
    since until upon again further out up down will would shall's let lets us me my his her e.g i.e etc vs
    please note see like well even still yet too however therefore thus hence instead rather quite simply
    actually basically currently now today new
    """
)

NEGATIONS = _set(
    """
    not no never cannot without neither nor none nobody nothing don't doesn't didn't isn't aren't wasn't
    weren't can't won't wouldn't shouldn't mustn't couldn't hasn't haven't needn't nolonger
    """
)

PHRASES = {
    "at least": "atleast",
    "no less than": "atleast",
    "no fewer than": "atleast",
    "a minimum of": "atleast",
    "at most": "atmost",
    "no more than": "atmost",
    "not more than": "atmost",
    "a maximum of": "atmost",
    "up to": "atmost",
    "more than": "morethan",
    "greater than": "morethan",
    "less than": "lessthan",
    "fewer than": "lessthan",
    "no longer": "nolonger",
    "has to": "must",
    "have to": "must",
    "needs to": "must",
    "need to": "must",
    "is required to": "must",
    "are required to": "must",
    "is recommended to": "should",
    "ought to": "should",
    "is allowed to": "may",
    "are allowed to": "may",
    "opt in": "optin",
    "opt-in": "optin",
    "opt out": "optout",
    "opt-out": "optout",
    "read only": "readonly",
    "read-only": "readonly",
    "plain text": "plaintext",
    "turned on": "enabled",
    "switched on": "enabled",
    "turned off": "disabled",
    "switched off": "disabled",
    "by hand": "manually",
    "end of life": "endoflife",
    "end-of-life": "endoflife",
    "in favor of": "infavour",
    "in favour of": "infavour",
}
"""What counts as one word. Longer ones first where one starts another: the pattern takes them in order of length."""

OPPOSITES = _set(
    """
    enabled enable enables active disabled disable disables inactive required mandatory compulsory optional
    allowed permitted accepted accepts accept forbidden prohibited disallowed denied rejected reject
    supported unsupported recommended encouraged recommend recommends discouraged must shall should may can
    could might atleast minimum min atmost maximum max exactly morethan above exceeds lessthan below before
    after first last include includes included including exclude excludes excluded excluding except public
    private internal synchronous synchronously blocking asynchronous asynchronously nonblocking inbound
    ingress incoming outbound egress outgoing increase increases increased decrease decreases decreased
    reduced reduces higher lower automatic automatically manual manually ascending descending stable
    production-ready experimental beta alpha preview unstable free paid always sometimes occasionally rarely
    all every some only encrypted unencrypted plaintext cleartext safe secure unsafe insecure valid invalid
    strict lax lenient readonly writable read-write temporary temporarily permanent permanently immutable
    mutable signed unsigned local locally global globally optin optout inclusive inclusively exclusive
    exclusively succeeds succeed success fails fail failure eager eagerly lazy lazily case-sensitive
    case-insensitive stateless stateful nullable non-nullable odd even once twice
    """
)
"""Words with an opposite. They are compared as they are, and never folded into a word of similar meaning."""

_GROUPS = """
use uses used using utilize utilise employ leverage apply adopt
provide offer supply give deliver bring
let permit
create make build generate produce construct
show display present render print visible
delete remove erase drop discard evict
start begin launch commence boot
stop end terminate halt finish close kill
change modify alter update edit adjust rename
get obtain fetch retrieve acquire
send transmit submit post
return yield respond answer reply response
call invoke execute run
need require want necessary needed
choose select pick
set configure specify define assign
check verify validate confirm ensure
keep retain preserve maintain store save hold remember live
contain comprise
handle process manage treat
big large huge sizeable
small little tiny
fast quick rapid
important essential crucial critical key vital
usually typically normally generally commonly ordinarily
often frequently regularly
roughly approximately around
help assist aid
problem issue
way manner approach
part piece portion
kind type sort
whole entire complete full
developer programmer engineer
customer user person people
app application program
directory folder
parameter argument
option setting
machine computer host
limit cap ceiling restriction quota
length size
request query
occur happen arise
expire lapse
publish release
describe explain
consider regard
prevent avoid
attempt try retry
immediately instantly
correct right
secret credential
access reach
raise increment
exceed surpass
connect link attach
split divide
merge combine join
recommend advise suggest
simple easy straightforward
total overall
refuse deny
documentation document page guide
example instance
lack miss
"""
"""Words that say the same in a technical text, in whatever form they come. No word stands in two lines."""

CONCEPTS = {word: group.split()[0] for group in _GROUPS.strip().splitlines() for word in group.split()}

UNITS: dict[str, tuple[float, str]] = {
    **dict.fromkeys(_set("ms millisecond milliseconds msec"), (0.001, "s")),
    **dict.fromkeys(_set("µs us microsecond microseconds"), (0.000001, "s")),
    **dict.fromkeys(_set("s sec secs second seconds"), (1, "s")),
    **dict.fromkeys(_set("min mins minute minutes"), (60, "s")),
    **dict.fromkeys(_set("h hr hrs hour hours"), (3600, "s")),
    **dict.fromkeys(_set("day days d"), (86400, "s")),
    **dict.fromkeys(_set("week weeks"), (604800, "s")),
    **dict.fromkeys(_set("month months"), (1, "month")),
    **dict.fromkeys(_set("year years"), (12, "month")),
    **dict.fromkeys(_set("byte bytes b"), (1, "B")),
    **dict.fromkeys(_set("kb kilobyte kilobytes"), (1e3, "B")),
    **dict.fromkeys(_set("mb megabyte megabytes"), (1e6, "B")),
    **dict.fromkeys(_set("gb gigabyte gigabytes"), (1e9, "B")),
    **dict.fromkeys(_set("tb terabyte terabytes"), (1e12, "B")),
    **dict.fromkeys(_set("kib kibibyte kibibytes"), (1024, "B")),
    **dict.fromkeys(_set("mib mebibyte mebibytes"), (1024**2, "B")),
    **dict.fromkeys(_set("gib gibibyte gibibytes"), (1024**3, "B")),
    **dict.fromkeys(_set("tib tebibyte tebibytes"), (1024**4, "B")),
    **dict.fromkeys(_set("bit bits"), (1, "bit")),
    **dict.fromkeys(_set("% percent pct"), (1, "%")),
    **dict.fromkeys(_set("px pixel pixels"), (1, "px")),
    **dict.fromkeys(_set("µg μg microgram micrograms"), (0.000001, "g")),
    **dict.fromkeys(_set("mg milligram milligrams"), (0.001, "g")),
    **dict.fromkeys(_set("kg kilogram kilograms"), (1000, "g")),
    **dict.fromkeys(_set("km kilometre kilometres kilometer kilometers"), (1000, "m")),
    **dict.fromkeys(_set("metre metres meter meters"), (1, "m")),
    **dict.fromkeys(_set("mm millimetre millimetres"), (0.001, "m")),
    **dict.fromkeys(_set("hz hertz"), (1, "Hz")),
    **dict.fromkeys(_set("khz"), (1e3, "Hz")),
    **dict.fromkeys(_set("mhz"), (1e6, "Hz")),
    **dict.fromkeys(_set("ghz"), (1e9, "Hz")),
    **dict.fromkeys(_set("kbps kbit"), (1e3, "bit")),
    **dict.fromkeys(_set("mbps mbit"), (1e6, "bit")),
    **dict.fromkeys(_set("gbps gbit"), (1e9, "bit")),
    **dict.fromkeys(_set("usd dollar dollars"), (1, "$")),
    **dict.fromkeys(_set("eur euro euros"), (1, "€")),
    **dict.fromkeys(_set("gbp pounds"), (1, "£")),
}

MULTIPLIERS = {"k": 1e3, "m": 1e6, "thousand": 1e3, "million": 1e6, "billion": 1e9}

_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"

NUMBER_WORDS = {
    **{word: value for value, word in enumerate(_COUNTED.split())},
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
}

_MONTHS = """
january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, october oct,
november nov, december dec
"""

MONTHS = {name: number for number, names in enumerate(_MONTHS.split(","), start=1) for name in names.split()}
