"""Words for search: text as the full-text index takes it, stems, and words that say little."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
"""Vowel points of Hebrew and Arabic, which most people leave out."""

LEFT_OUT = "cairnleftoutbyscope"
"""A word that the index has of every page that is left out by scope."""

_LONGEST_NAME = 64
"""Longer runs of letters are no names that somebody chose; they are keys, hashes, pictures in base 64."""


@cache
def _spaced() -> "re.Pattern[str]":
    """Compiled when a text needs it: that takes longer than indexing a dozen pages."""
    return re.compile(f"([{_UNSPACED}])")


@cache
def _marks() -> "re.Pattern[str]":
    return re.compile(f"[{_MARKS}]")


@cache
def runs() -> "re.Pattern[str]":
    """Stretches of scripts that put no blanks between words."""
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _hump() -> "re.Pattern[str]":
    return re.compile("[A-Z](?<=[a-z].)")  # the capital first: there are fewer of them to look at


@cache
def _name_end() -> "re.Pattern[str]":
    return re.compile("[^A-Za-z0-9]")


@cache
def _before_hump() -> "re.Pattern[str]":
    return re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def searchable(text: str) -> str:
    """A phrase of single characters then finds any word of a script without blanks, and no dictionary is needed."""
    if _hump().search(text):
        text = f"{text} {' '.join(_split_names(text))}"
    return text if text.isascii() else _spaced().sub(r" \1 ", without_marks(text))


def without_marks(text: str) -> str:
    return _marks().sub("", text)


def split_name(name: str) -> str:
    """`maxRetryCount` is `max Retry Count`."""
    return _before_hump().sub(" ", name)


def _split_names(text: str) -> Iterator[str]:
    """Every `camelCase` name of a text, in its parts. Linear, whatever the text is."""
    hump = _hump().search(text)
    while hump is not None:
        found = _name_end().search(text, hump.end())
        end = found.start() if found else len(text)
        start = _name_start(text, hump.start())
        if end - start <= _LONGEST_NAME:
            yield split_name(text[start:end])
        hump = _hump().search(text, end)


def _name_start(text: str, at: int) -> int:
    lowest = max(0, at - _LONGEST_NAME)
    while at > lowest and text[at - 1].isascii() and text[at - 1].isalnum():
        at -= 1
    return at


_SHORTEST, _LONGEST = 3, 64
"""Words outside of this stay as they are."""

_STEP_2_PAIRS = """
ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous ization:ize
ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble
"""
_STEP_2 = dict(pair.split(":") for pair in _STEP_2_PAIRS.split())
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4_ENDINGS = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"
_STEP_4 = tuple(_STEP_4_ENDINGS.split())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Of a word in small letters."""
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii()):
        return word
    word = without_ending(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _final_letters(_without_suffix(word))


def without_ending(word: str) -> str:
    """Without the ending of a plural, a past or an -ing form."""
    return _past_and_progressive(_plural(word))


def _shape(word: str) -> str:
    """One letter for each: v for a vowel, c for a consonant. A `y` is a vowel behind a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a consonant follows a vowel: about the number of syllables."""
    return _shape(word).count("vc")


def _closed(word: str) -> bool:
    """Ends like `hop`: consonant, vowel, consonant that is not w, x or y."""
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return _mended(rest) if "v" in _shape(rest) else word
    return word


def _mended(word: str) -> str:
    """What is left when an ending was taken away, as a word again."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _doubled(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _closed(word) else word


def _replaced(word: str, endings: dict[str, str]) -> str:
    ending = max((ending for ending in endings if word.endswith(ending)), key=len, default="")
    rest = word[: len(word) - len(ending)]
    return rest + endings[ending] if ending and _measure(rest) > 0 else word


def _without_suffix(word: str) -> str:
    ending = max((ending for ending in _STEP_4 if word.endswith(ending)), key=len, default="")
    rest = word[: len(word) - len(ending)]
    if not ending or _measure(rest) <= 1 or (ending == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _final_letters(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _closed(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


_ENGLISH = """
a about across after again against all along already also although am among an and any are around as at available away
be because been before being between both but by can cannot could did do does doing done during each for from had has
have having he her here hers him his how however i if important in into is isn it its itself just let many may me
might mine more most much my no nor not now of off on once only or other our ours out over own per please quite rather
same several shall she should so some such than that the their them then there therefore these they this those through
thus to too toward under until up upon us very via was wasn we were what whatever when where whether which while who
whom whose why will with within won would yes you your d ll m re s t ve don doesn didn ain myself yourself himself
herself ourselves yourselves themselves oneself anymore anyway actually basically simply merely even ever else though
whereas somehow somewhere anywhere everywhere wherever whenever afterwards beforehand meanwhile hence indeed perhaps
otherwise whole entire aren couldn hadn hasn haven mustn shouldn weren wouldn im ive id dont doesnt cant isnt
"""
_GERMAN = """
aber als am an auch auf aus bei bin bis da damit das dass dem den denn der des die doch du ein eine einem einen einer
eines er es fur für habe haben hat ich ihr im in ist ja kann kein keine man mein mich mir mit nach nicht noch nur oder
ohne sich sie sind so soll um und uns unser vom von vor wann warum was welche welcher welches wenn wer werden wie wir
wird wo wurde zu zum zur über uber
"""
_FRENCH = """
après au aux avant avec ce ces cette chaque combien comment dans de des du elle en est et etre être faut il ils je la le
les leur lui ma mais me mes
mon ne nos notre nous on ou où par pas peut pour pourquoi qu quand que quel quelle quelles quels qui quoi sa se ses si
son sans sont sous sur ta te tes tu un une vos votre vous y à l c n j
"""
_SPANISH = """
al algo como con cual cuál cuales cuando cuándo cuanto de del donde dónde el ella en entre era es esta está este esto
están estan hay la las le lo los más mas me mi mis muy nos o para pero por porque puede puedo que qué quien quién se
sin sobre son su sus también te tiene tu un una unas unos ya yo cómo
"""
_PORTUGUESE = """
ao aos as até com como da das de do dos e ela ele em entre era essa esse esta estas este estes eu faço isso isto já mais
mas me meu minha muito na nas no nos não o onde os ou para pela pelas pelo pelos pode por porque posso quais qual quando
quanto que quem se sem ser seu sua são também tem um uma umas uns à às é está
"""
_ITALIAN = """
ai al alla alle anche che chi ci come con cosa da dal dalla dei del della delle di dove e ed essere gli ha ho i il in io
la le lo ma mi mio nel nella non o per perché posso può qual quale quali quando quanto questa questo se senza si sono su
sul sulla tra un una uno è
"""
_DUTCH = """
aan als bij dan dat de deze die dit een en er geen het hoe hun ik in is je kan kunnen maar met mijn moet naar niet nog
of om onder ook op te tot uit van voor waar waarom wanneer wat welke wie wordt zijn zonder
"""
_POLISH = """
aby bez by był była było być co czy dla do gdy gdzie go i ich jak jaka jaki jakie jakiego jako jego jej jest jeśli już
kiedy która które który mi mnie moje mogę mojego mój można muszę na nie niż o od po pod przed przez przy są się ta tak
tam te tego tej ten to tych tym u w we za z ze że żeby
"""
_RUSSIAN = """
а без бы был быть в во вот все всё вы где да для до его ее её если есть еще ещё же за и из или им их к как какая какие
какой когда кто ли мне можно мой мы на надо не нет но ну о об он она они от по под почему при с со так такой там то
тоже у уже что чтобы эта эти это этот я
"""
_ARABIC = "كيف هل ما من في على إلى الى هو هي كل عن مع أن ان لا لماذا متى أين يمكن هذا هذه التي الذي أقوم"
_LIGHT = """
accidentally add afterward allow already always another answer anybody anyone anything apart appear aside
automatically avoid back bad become begin behave behavior behaviour best better big bring care case cause certain
chance change check choose come comes common contain correct couple create currently deal decide despite different
directly easily easy either else enable end enough ensure especially ever every everybody everything exact exactly
example exist expect explain fail fast few find first fix follow further get gets give gives go goes going good great
guess handle happen happening happens hard havent having help hold idea inside instead itself keep kind know last
later leave leaves less let lets like likely list little long look lot made main make manage maybe mean means mention
method must near need needs never new next nobody normally nothing notice obviously often old one open ought outside
part people person piece pieces place plain please point possible pretty prevent problem proper properly put question
quick quickly quite rather really reason recommend remember right rule run safe say see seem seems set show shows
simple since single situation slow somebody someone something sometimes soon sort specific start stay stays step still
stop stuff suddenly supposed sure take talk tell thats themselves thing things think throughout time times together
tries try trying turn two understand use used useful user using usual usually various want wants way ways well
whatever whichever wish without wonder wondering work working works worth write wrong yet
"""

_IRREGULAR = """
begin began begun; break broke broken; bring brought; build built; buy bought; catch caught; choose chose chosen; come
came; cost costs; cut cuts; draw drew drawn; drive drove driven; fall fell fallen; feel felt; find found; forget forgot
forgotten; get got gotten; give gave given; go went gone; grow grew grown; hide hid hidden; hold held; keep kept; know
knew known; lead led; leave left; lend lent; lose lost; make made; mean meant; meet met; pay paid; read reads; run ran;
say said; see saw seen; sell sold; send sent; speak spoke spoken; spend spent; split splits; stand stood; steal stole
stolen; stick stuck; take took taken; teach taught; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; win won; write wrote written; person people; child children; man men; woman women;
foot feet; index indices indexes; datum data; criterion criteria; analysis analyses; half halves; life lives
"""


def _groups(text: str) -> dict[str, tuple[str, ...]]:
    groups = [tuple(group.split()) for group in text.split(";")]
    return {word: group for group in groups for word in group}


def _set(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


ENGLISH = _set(_ENGLISH)
LITTLE = {
    "de": _set(_GERMAN),
    "fr": _set(_FRENCH),
    "es": _set(_SPANISH),
    "pt": _set(_PORTUGUESE),
    "it": _set(_ITALIAN),
    "nl": _set(_DUTCH),
    "pl": _set(_POLISH),
    "ru": _set(_RUSSIAN),
}
"""By language, those other than English that are told apart by their little words."""
STOP = ENGLISH.union(*LITTLE.values(), _set(_ARABIC))
"""Weigh nothing, unless a query has no others."""

LIGHT = frozenset(map(stem, _set(_LIGHT)))
"""Stems of words that weigh less: a page may well answer a question without them. What shares its stem with a word that
tells something is no such word, but one that weighs nothing: *important* and *import*, *several* and *severity*."""

FORMS = _groups(_IRREGULAR)
"""Forms of a word that have different stems."""
