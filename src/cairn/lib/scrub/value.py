"""Is this the value of a secret? Often it is a type, a variable, a path or an example, and seldom drawn by lot."""

import re
from collections import Counter
from math import log2

from cairn.lib.scrub.names import PASSWORD
from cairn.lib.scrub.rule import Category

_SAID_TO_BE_NONE = re.compile(
    r"example|sample|placeholder|changeme|change[_-]me|redacted|dummy|fake|your[_-]?|insert|replace|todo|"
    r"(?-i:x{4}|X{4})|\*{3}|\.{3}|0{6}|1{6}|a{6}|0123456|1234567|7654321|abcdefg|qwerty|deadbeef|foobar|lorem|not[_-]a[_-]?real|JBSWY3DPEHPK3PXP|sk_test_4eC39HqLyjWDarjtT1zdp7dc|sk_test_BQokikJOvBiI2HlWgH4olfQ2|Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6|"
    r"remplac|ersetz|aendern|ändern|cambia|cámbia|sostitu|substitu|troque|vervang|wijzig|zmie[nń]|votre[_-]|dein[_-]|ihr[_-]",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^-_./:+=~!?#%&*^@]+")
_PLAIN_PIECE = re.compile(
    r"(?:[A-Z]{0,6}+[a-z]++)++(?:\d{0,4}|[A-Z]{1,3})|[a-z]{1,4}\d{1,4}[a-z]{1,3}|[a-z]{1,12}\d{1,2}(?:[A-Z][a-z]++)++|[a-z]{0,12}+(?:[A-Z][a-z]{2,}\d{0,2}|[A-Z]{1,4}\d{1,2}(?=[A-Z]))++|[A-Z]++\d{0,4}|v?\d{1,4}|[a-z]{1,4}\d{1,4}[a-z]|\d{1,6}[a-z]{1,3}"
)
"""A word, words in camel case, also with numbers inside, a word with a small number, a version, `o200k`, `12ms`."""


def entropy(text: str) -> float:
    """Bits a character, by how often each occurs in it."""
    size = len(text)
    return -sum(count / size * log2(count / size) for count in Counter(text).values()) if size else 0.0


def is_placeholder(text: str) -> bool:
    """Whether it says itself that it stands for something else."""
    return bool(_SAID_TO_BE_NONE.search(text)) or len(set(text)) < 5


def is_name(text: str) -> bool:
    """Whether it is made of words, as `my-secret-v2` or `settings.apiKey` are."""
    pieces = _PIECE.findall(text)
    return all(_PLAIN_PIECE.fullmatch(piece) and not _scrambled(piece) for piece in pieces)


def _scrambled(piece: str) -> bool:
    """Letters alone may be a key as well: then capitals stand where no camel case would have them, or the letters
    follow each other as in no language."""
    if is_scrambled(piece):
        return True
    if len(piece) < 16 or piece.islower() or piece.isupper():
        return False
    humps = sum(after.isupper() for after in piece[1:])
    return humps * 4 > len(piece)


_PAIRS = frozenset(
    """
aa ab ac ad ag ai al am an ap ar as at au be bl ca ce ch ci cl co cr cs ct cu da de di do ds ea ec ed ee ef eg ei el em en ep
er es et ex fe fi fo ge gi gu ha he hi ho ht ia ic id ie if ig il im in io ir is it iv je ke ku la le li ll lo ls lt lu ma me
mi mo mp na nc nd ne nf ng ni no ns nt ob oc od ol om on oo op or os ot ou ow pa pe pi pl po pr qu ra rc rd re ri rm rn ro rs
rt ru rv sa sc se sh si so sp ss st su ta te th ti tl to tr ts tt tu ty ub ue ui ul um un ur us ut va ve vi vo wa we wi wo za
ze zi
""".split()
)
"""The commonest pairs of letters in eight languages. Nine tenths of the pairs of a word are here, and a quarter of those
of letters drawn by lot."""
FEWEST_LETTERS = 14


def is_scrambled(letters: str, least: int = FEWEST_LETTERS) -> bool:
    """Whether so many letters without a digit make no words."""
    if len(letters) < least or not (letters.isascii() and letters.isalpha()):
        return False
    low = letters.lower()
    return sum(low[at : at + 2] in _PAIRS for at in range(len(low) - 1)) * 2 < len(low) - 1


def looks_random(text: str, *, least: float = 3.0) -> bool:
    """What a generator would give: varied, no word for itself, no example."""
    return not is_placeholder(text) and entropy(text) >= least and not is_name(text)


_NOT_A_VALUE = re.compile(
    r"[%&@#*\\{<\[]|\$(?:[A-Za-z_{(\[]|\d\w?\$)|https?:|urn:|[a-z]+://|\.{1,3}/?|/|~/|os\.|process\.|env[.\[]|"
    r"[a-z_]+(?:\|[a-z_]+(?::[\w,]+)?)+$|(?:sha\d*|md5|bcrypt|argon2\w*|scrypt|pbkdf2\w*|file|env|vault|arn|op|ssm|secretsmanager|base64|data)[:-]|-+$|--\w|-D\w+[.=]|:[a-z]\w*$",
    re.IGNORECASE,
)
_CALL = re.compile(r"\s{0,2}[(\[]")
_PATH = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+;?|[\w.-]+\.(?:txt|json|ya?ml|pem|key|crt|env|py|js|ts|go|md|sh|toml|php|rb|html?|db)"
)
"""Of names: `user.password`, `Yup.string`, `config::SECRET`, `secrets.yml`."""
_NAMED = re.compile(
    r"pass|pwd|secret|token|key|auth|cred|user|hash|crypt|login|config|param|field|value|input|env|prompt",
    re.IGNORECASE,
)
_SHOWN_WORDS = """
my your our the a an new old db database user username admin administrator root test testing tester some super very
strong secure secured secret secrets pass word passw password passwd passwort pwd pw token tokens key keys api auth
client app postgres postgresql mysql mariadb redis mongo rabbitmq default dummy fake mock sample example changeme change
me foo bar baz qux abc abcd xyz hello world string value here goes bot access refresh guest demo dev prod staging local
localhost host name login long random generated unique s3cret s3cr3t p4ssw0rd pa55word passw0rd p4ss letmein qwerty
not real temp tmp placeholder replace invalid wrong bad good right correct incorrect bogus any one two another other
service account server smtp mail email ldap bind git github gitlab docker registry proxy basic bearer jwt oauth
""".split()
_SHOWN = re.compile(
    rf"(?:(?:{'|'.join(sorted(_SHOWN_WORDS, key=len, reverse=True))})(?:[-_.]?\d{{1,4}}[-_.!]?|[-_.!]?))+",
    re.IGNORECASE,
)
"""A joint can be read in one way only, or else a long value of such words takes forever."""
_LONGEST_SHOWN = 80
_NO_SECRETS = frozenset(
    """
str string text int integer number numeric bool boolean bytes byte any none null nil undefined true false object array
list optional required unknown void char varchar uuid date datetime secretstr hash hashed md5 sha1 sha256 sha512 bcrypt
scrypt argon2 argon2id pbkdf2 plain plaintext cleartext encrypted disabled enabled off on yes no empty blank hidden input
field label type username value is are was be to of and or if in not for with from that this the it as by on at when
then else return returns self none error errors missing invalid expired valid set unset given provided stored missing
change reset forgot update create delete show hide enter confirm confirmation repeat verify check save cancel submit
ascii ucs2 utf16le latin1 utf8 base64 hex http https oauth2 ed25519 rsa2048 rsa4096 rsa ecdsa hs256 rs256 es256 aes128 aes256 bearer basic
function const let var public private static final async await new class def default import export interface
ssh-ed25519 ssh-rsa ssh-dss 1password
static float double long short object map dict record enum struct option some ok err result maybe
obligatoire requis facultatif erforderlich pflichtfeld obligatorio requerido opcional obbligatorio richiesto obrigatório verplicht
wymagane обязательно обязателен 必填 必须 必須 필수
""".split()
)
_TYPE = re.compile(
    r"(?:Optional|List|Dict|Union|Secret|Nullable|Option|Maybe|Array|Set|Map|String|Str|Bytes|Type|Vec)\w*|[A-Z][a-z]+(?:[A-Z][a-z]+)+"
)
_AWS = re.compile(r"[A-Za-z0-9/+]{40}")
_LAST = " .,;:)"
_CALLED = frozenset(word.replace("_", " ") for word in PASSWORD)
"""Translations of a form call a password so."""


_VERSION = re.compile(r"[~^v]?\d+(?:\.\d+){1,3}(?:[-+~.][\w.+~-]{1,30})?")


_BEYOND_LATIN = 0xC0
"""Keys have plain letters."""


def judged(value: str, *, quoted: bool, password: bool, closed: bool) -> Category | None:
    """What a value is worth: `closed` when nothing follows that would make it part of a sentence or an expression."""
    if not quoted and value.endswith(":"):
        return None
    value = (value.rstrip(_LAST) if not quoted else value).removeprefix("base64:")
    if value and ord(max(value)) >= (_WITHOUT_BLANKS if password else _BEYOND_LATIN):
        return None  # a translation
    if len(value) == 40 and _AWS.fullmatch(value) and looks_random(value, least=4.0):
        return "direct"
    if len(value) < 3 or is_no_value(value, quoted=quoted):
        return None
    if is_shown(value) or is_encoded_example(value) or _VERSION.fullmatch(value[:_LONGEST_SHOWN]):
        return None
    if password:
        return _password(value, quoted=quoted, closed=closed)
    return _key(value, quoted=quoted)


_WEAK = re.compile(
    r"(?:letmein|qwerty|monkey|dragon|iloveyou|sunshine|princess|football|welcome|trustno)\d{0,4}|(?:password|passw0rd|admin|welcome)\d{1,2}|"
    r"changeme\d{1,4}[a-z]{1,4}",
    re.IGNORECASE,
)
"""Passwords that people really have, although they look like examples."""


def assigned(value: str) -> Category | None:
    """What a variable of a shell is set to. Words of four letters count here: nothing but a value can stand there."""
    if _WEAK.fullmatch(value[:_LONGEST_SHOWN]):
        return "indirect"
    if len(value) == 4 and value.isascii() and value.isalpha() and value.islower():
        return None if is_no_value(value, quoted=False) or is_shown(value) or _NAMED.search(value) else "indirect"
    return judged(value, quoted=False, password=True, closed=True)


def cell_password(value: str) -> Category | None:
    """In a column of passwords."""
    return judged(value, quoted=True, password=True, closed=False)


def cell_secret(value: str) -> Category | None:
    return None if "(" in value or "<" in value else judged(value, quoted=True, password=False, closed=False)


def is_no_value(value: str, *, quoted: bool) -> bool:
    """A variable, a call, a path, a type, a marked gap."""
    return is_placeholder_value(value) or is_reference(value, quoted=quoted)


def is_reference(value: str, *, quoted: bool) -> bool:
    """It stands for something else: a variable, a call, a path, a type."""
    if (_NOT_A_VALUE.match(value) and not _begins_with_sign(value)) or value.lower() in _NO_SECRETS:
        return True
    return (
        not quoted
        and not is_worded_phrase(value)
        and bool((_PATH.fullmatch(value) and (is_name(value) or "(" in value)) or _TYPE.fullmatch(value))
    )


def _begins_with_sign(value: str) -> bool:
    """A generated secret may begin with any sign; `*alias`, `@decorator`, `--flag` and `/path` are followed by names."""
    kinds = (str.isdigit, str.islower, str.isupper)
    if len(value) < 8 or sum(any(kind(char) for char in value) for kind in kinds) < 3:
        return False
    if value[0] in "/-":
        return bool(_BASE64.fullmatch(value)) and looks_random(value, least=4.0)
    return value[0] in "%&@#*" and not _SIGN_AND_NAME.fullmatch(value[:_JUDGED]) and looks_random(value)


_BASE64 = re.compile(r"(?=[^/]{0,20}/?[^/]{8})[A-Za-z0-9+/]{30,200}={0,2}|[A-Za-z0-9_-]{24,200}")
_SIGN_AND_NAME = re.compile(r"[%&@#*]+[\w.-]*[:(]?|(?:%[A-Za-z.]\W?)+|[{<\[].*")


def is_placeholder_value(value: str) -> bool:
    """Short values repeat few characters by chance, so only long ones are told by that."""
    return is_placeholder(value) if len(value) >= 8 else is_placeholder(f"{value}~~abcdef")


def is_shown(value: str) -> bool:
    """As examples have it."""
    shown = len(value) <= _LONGEST_SHOWN and _SHOWN.fullmatch(value) is not None
    return shown or (value.isdigit() and (value in "1234567890" or len(set(value)) == 1))


_ENCODED = re.compile(r"(?:[A-Za-z0-9+/]{4}){2,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def is_encoded_example(value: str) -> bool:
    """Base64 of an example, as manifests of Kubernetes have it."""
    from base64 import b64decode

    if not _ENCODED.fullmatch(value):
        return False
    plain = b64decode(value)
    if not (plain.isascii() and plain.decode("ascii").strip().isprintable()):
        return False
    text = plain.decode("ascii").strip()
    return bool(text) and (is_shown(text) or is_placeholder(f"{text}~~abcdef"))


def is_strong(value: str) -> bool:
    """Several kinds of characters, as a person who chooses a password is told to use."""
    kinds = (str.isdigit, str.islower, str.isupper)
    mixed = sum(any(kind(char) for char in value) for kind in kinds)
    signs = any(not char.isalnum() and char not in "_-./:" for char in value)
    padded = value.endswith("=") and _ENCODED.fullmatch(value) is not None
    return padded or (mixed + signs >= 2 and not _is_worded(value))


_JUDGED = 200
"""Characters of a value that are looked at."""
_ODD = re.compile(r"[!#$%^&*?~+]")
_INSIDE = re.compile(r"[!$%^*?~]")
"""Signs that join no words."""
_NOT_TYPED = re.compile(
    r".*\d%|\$.*|[#&?+~*].*|.*[a-z]\+\+\d*|\d+[*+]|\d+\*[A-Za-z_][\w.]*|.*\.(?:html?|md|py|js|php)[#?].*|\S*[/\\].*|[A-Z]+-\d+[!?]?|\W*\d+\W*|v?\d[\d.]*\W*|"
    r"\w+\(.*|.*\$\{.*|.*&&.*|[a-z]+\d?[!?]",
)


def is_typed(value: str) -> bool:
    """Letters, digits and a sign, as nothing but a password has them."""
    letters, digits = any(char.isalpha() for char in value), any(char.isdigit() for char in value)
    return bool(letters and digits and _ODD.search(value) and not _NOT_TYPED.fullmatch(value[:_JUDGED]))


_WITHOUT_BLANKS = 0x2E80
"""From here on scripts put no blanks between words, so that a value has no end."""
_TERM = re.compile(
    r"v?\d[\d.]*[a-z]?|[A-Z]{2,}[-_/]?\d+[A-Z]{0,3}|[a-z]+[-._]\d{1,3}|(?:[A-Z]{2,}[-_/]?)+\d*|[A-Za-z]{1,3}\d{1,2}|\d{1,4}[A-Za-z]{1,3}|(?:sha|SHA|md|MD|aes|AES|rsa|RSA|utf|UTF|iso|ISO|rfc|RFC|tls|TLS|"
    r"ssl|SSL|http|HTTP|oauth|OAuth|OAUTH|ed|x|py|ipv|IPv|base|Base|pbkdf|PBKDF|argon|Argon|pkcs|PKCS|hs|rs|es|cve|CVE|win|Win|amd|arm|python|Python|node|Node|php|PHP|java|Java|ruby|"
    r"Ruby|go|log|neo|web|Web|mp)[-_.]?v?\d[\w.-]*|[khx]\d{1,4}|\d{1,2}:\d\d\S*|[\w.-]+\.(?:com|org|net|io|dev|internal|local|lan|corp|json|ya?ml|py|js|ts|go|md|txt|sh|env|html?)(?::\d+)?|"
    r"[A-Z]+-\d+|[A-Za-z]+\d?(?:/[A-Za-z]+\d?)+|\d+(?:\.\d+)+\S*|[0-9a-f]{7,15}|(?:[A-Z][a-z]+)+\d|[a-z]+\d",
)
"""Words of technical text that have digits: versions, names of algorithms and standards, hosts, tickets, hashes."""
_WORD_AND_DIGIT = re.compile(r"[^\W\d_]{4,20}\d")
_NUMBERED = re.compile(
    r"(?:v|version|step|level|stage|phase|page|chapter|section|part|line|item|case|option|field|input|column|table|figure|type|mode|group|"
    r"user|client|server|host|node|worker|cluster|region|zone|slot|bank|port|disk|image|layer|release|build|issue|task|sprint|week|"
    r"windows|win|ubuntu|debian|fedora|centos|rhel|android|macos|office|exchange|outlook|python|node|java|ruby|perl|php|angular|django|"
    r"drupal|rails|react|vue|postgres|postgresql|mysql|mariadb|oracle|base|sha|md|argon|bcrypt|oauth|http|https|ipv|utf|"
    r"schritt|stufe|seite|étape|etape|niveau|paso|nivel|passo|livello|stap|krok|poziom|шаг|уровень)s?\d",
    re.IGNORECASE,
)
"""Names that are usually followed by a number."""


_IN_CODE = re.compile(r".*\(.*\)|[A-Z_]+=.*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""A call, or the name of a variable."""
_COMMIT = re.compile(r"[0-9a-f]{7,12}")
_GENERATED = 14
"""Characters from which on letters of both cases are taken for a generated password."""


def spoken(value: str, *, quoted: bool, password: bool, told: bool = False) -> Category | None:
    """What a sentence is worth: a word alone could be any word, so it has to be quoted or mixed. What is `told` stands
    right behind a verb, where a word and a digit are enough."""
    if (
        len(value) < 4
        or value.isdigit()
        or " " in value
        or value[0] in ",;)"
        or _IN_CODE.fullmatch(value[:_JUDGED])
        or (not quoted and ord(max(value)) > _WITHOUT_BLANKS)
    ):
        return None
    digit, letter = any(char.isdigit() for char in value), any(char.isalpha() for char in value)
    if not password:
        if _NUMBERED_WORD.fullmatch(value[:_JUDGED]) and not is_scrambled(value.lstrip("0123456789"), least=5):
            return None
        drawn = quoted or (digit and letter and not _COMMIT.fullmatch(value)) or is_scrambled(value)
        return judged(value, quoted=quoted, password=False, closed=quoted) if drawn else None
    upper, lower = any(char.isupper() for char in value), any(char.islower() for char in value)
    mixed = (digit and letter) or (upper and lower and bool(_ODD.search(value[1:-1])))
    mixed = mixed or (upper and lower and len(value) >= _GENERATED and looks_random(value, least=3.2))
    mixed = mixed or _is_uneven(value)
    if is_scrambled(value):
        return None if is_placeholder(value) else "direct"
    if is_worded_phrase(value):
        return "indirect" if value[-1].isalpha() else "direct"
    if quoted:
        return judged(value, quoted=True, password=True, closed=False) if mixed or looks_random(value) else None
    if told and is_word_and_digit(value):
        return "direct"
    if not mixed or (_TERM.fullmatch(value[:_JUDGED]) and not is_typed(value)):
        return None
    return judged(value, quoted=False, password=True, closed=False)


_NUMBERED_WORD = re.compile(r"\d{1,4}[a-z]{5,20}")


def is_word_and_digit(value: str) -> bool:
    """`Banana7`, as people choose; not `Windows7`, `step2` or what an example has."""
    return bool(_WORD_AND_DIGIT.fullmatch(value)) and not (
        _NUMBERED.fullmatch(value) or is_shown(value) or is_placeholder(f"{value}~~abcdef") or _NAMED.search(value)
    )


def _is_uneven(value: str) -> bool:
    """Letters of both cases, or with signs between, that make no words: `EvIslYfFqsa`, `JA+T9R_nt`."""
    humps = sum(char.isupper() for char in value[1:])
    if len(value) < 10 or not value.isascii() or not value.isalpha() or value.isupper() or humps < 3:
        return False
    return is_scrambled(value, least=10) and any(char.islower() for char in value)


_PHRASE = re.compile(
    r"[a-z]{3,12}(?P<joint>[-_.])[a-z]{3,12}(?:(?P=joint)?\d{2,4}|(?P=joint)[a-z]{3,12}(?:(?P=joint)[a-z]{3,12}){0,5}(?:(?P=joint)?\d{1,4})?)",
    re.IGNORECASE,
)
_OF_PROSE = frozenset(
    """based only with from this that your must should when case time user self http https the and for are not has was web server node host
staging cluster worker master release version build east west north south central config settings module system spring python java docker
com org net www html json yaml env var file path string default data type list group policy provider manager service sha utf rfc iso""".split()
)


def is_worded_phrase(value: str) -> bool:
    """Three words or more, or two and a number, that belong to no sentence, as generators of passwords join them."""
    value = value.rstrip("!#*?")
    if not _PHRASE.fullmatch(value):
        return False
    words = re.findall(r"[a-z]+", value.lower())
    return not (_OF_PROSE & set(words) or any(word in _SHOWN_WORDS or _NAMED.search(word) for word in words))


def _is_worded(value: str) -> bool:
    """Words in camel case or with joints, without a digit: a name in code, or a word of any script."""
    if any(char.isdigit() for char in value):
        return False
    if len(value) >= 8 and _INSIDE.search(value[1:-1]) and value.lower() != value != value.upper():
        return False
    return is_name(value) or (value.isalpha() and (value.istitle() or value.islower() or value.isupper()))


def _password(value: str, *, quoted: bool, closed: bool) -> Category | None:
    if value.isdigit():
        return "direct" if 4 <= len(value) <= 16 and (quoted or closed) else None
    if " " in value:
        return None
    if is_worded_phrase(value):
        return "indirect" if value[-1].isalpha() else "direct"
    digit = any(char.isdigit() for char in value)
    if not digit and any(piece in _CALLED for piece in re.split(r"[-_]", value.lower())):
        return None  # a translation
    if is_strong(value) and (quoted or digit or not _NAMED.search(value)):
        return None if not (quoted or digit or closed) and _is_code(value) else "direct"
    if _NAMED.search(value) or not closed or not value.isascii() or value.lower() in _CALLED:
        return None
    return "indirect" if len(value) >= 5 and (quoted or value.replace("-", "").isalnum()) else None


_JOINED = re.compile(r"[\w.$\"'-]*+[=*|&<>?][\w.$\"'=*|&<>?-]*+")


def _is_code(value: str) -> bool:
    """Names with operators between them; other signs, or names drawn by lot, make it none."""
    return bool(_JOINED.fullmatch(value)) and not any(
        is_scrambled(piece, least=7) for piece in re.findall(r"[^\W\d_]+", value)
    )


def _key(value: str, *, quoted: bool) -> Category | None:
    """Of keys and tokens, which are drawn by lot."""
    digit, letter = any(char.isdigit() for char in value), any(char.isalpha() for char in value)
    cases = len(value) >= 16 and value.lower() != value != value.upper()
    scrambled = (digit and letter) or len(value) >= 20 or cases
    if (
        " " in value
        or not scrambled
        or len(value) < 6
        or (not quoted and _NAMED.search(value) and value.isidentifier())
    ):
        return None
    if is_typed(value) and is_strong(value) and value.lower() != value != value.upper():
        return "direct"
    if len(value) >= 12:
        return "direct" if looks_random(value, least=2.7 if len(value) < 16 else 3.0) else None
    return "direct" if not is_name(value) and is_strong(value) else None
