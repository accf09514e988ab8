"""What people call a secret: words of many languages, the verbs behind them, and how words are compared."""

import re
import unicodedata
from collections.abc import Iterable

PASSWORD = """
password passwd passwort passwords passwd passphrase pass_phrase pass-phrase passcode pass_code pass pwd psw pw pswd
userpassword userpass kennwort zugangscode contraseña contrasena contraseñas mot_de_passe mot-de-passe motdepasse mdp senha
palavra-passe palavra_passe wachtwoord hasło haslo hasła hasłem heslo hesla lösenord lösenordet losenord adgangskode
kodeord adgangskoden passord passordet salasana salasanan jelszó jelszo jelszava parola parolă parole parolei şifre sifre
şifresi sifresi kata_sandi mật_khẩu пароль пароля паролем паролю 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 كلمة_المرور
كلمة_السر סיסמה סיסמא κωδικός κωδικό पासवर्ड รหัสผ่าน clave clave_de_acceso lozinka gizli_kelime requirepass geslo slaptažodis
parool parole sshpass dbpass rootpass adminpass smtppass ldappass keypass storepass mailpass ftppass psk wlan-schlüssel wifi-schlüssel clé_wi-fi clé_wifi redis_auth wachtwoorden ww wi-fi_key wifi_key wi-fi-key
codeword kode_sandi clave_del_wifi parola_d'ordine salasanasi code_wifi losungswort losungsworte heslem heslom heslu şifrem
şifreniz şifremiz şifreyi parolam parolanız парола паролата паролі паролю пароли 비번 mat_khau sandi sandinya kata_sandinya salasanalla
salasanani jelszav jelszót wachtwoordje hasłach parolă parolei slaptažodžiu lozinke lozinku gesla parooli parole_ir kodeordet kode_ord
wi-fi-passwort adgangskoden lösen lösenordet passphrases passkey contrasenya contrasinal pasahitza lykilorð κωδικό_πρόσβασης
κωδικός_πρόσβασης συνθηματικό paßwort пасс heslová_fráze hesla_k lösenfras lösenfrasen phrase_secrète phrase_de_passe frase-senha frase_senha frase_de_contraseña frase_di_accesso parola_chiave
wachtwoordzin wachtzin 密码短语 密碼短語 口令短语 кодовая_фраза секретная_фраза кодовое_слово kodowa_fraza fraza_hasłowa parolayı şifreyi passfrase adgangsfrase گذرواژه رمز_عبور کلمه_عبور رمز_ورود wagwoord preshared_key pre-shared_key pre_shared_key keymaterial encryption_passphrase auth_pass psksecret كلمة_مرور الرقم_السري รหัส 口令是 通行码 暗号 パス_ワード 패스워드
""".split()
SECRET = """
secret secrets geheimnis geheimschlüssel geheim secreto segredo segreto geheimwoord tajemnica sekret hemlighet token jeton
credential credentials секрет токен 密钥 密鑰 令牌 トークン シークレット 秘密鍵 비밀키 토큰 시크릿
""".split()
KEYS_TO = """
api access private signing encryption account master auth authentication service shared secret client license sharedaccess
session app application subscription publishable rest write ingest webhook bot deploy project integration functions
consumer storage hmac crypt jwt encrypt decrypt cipher admin server user host root gateway wpa wpa2 preshared
""".split()
"""What a key is for; `key` alone is in every second line of any text."""
KEY = """
api-schlüssel api_schlüssel geheimschlüssel clé_api clé_d'api cle_api clave_api clave_de_api chiave_api chiave_di_accesso
api-sleutel klucz_api klucz_do_api klucz_dostępu chave_api chave_de_api chave_da_conta api-nyckel ключ_api api-ключ
clé_secrète cle_secrete clave_secreta chiave_segreta chave_secreta geheimer_schlüssel geheimen_schlüssel geheime_sleutel tajny_klucz
tajnego_klucza hemlig_nyckel hemmelig_nøgle tajný_klíč секретный_ключ секретного_ключа таємний_ключ
ключ_доступа apiキー api密钥 api키
""".split()

KEY_ALONE = (
    r"(?<![^\W_])(?:key|schlüssel|clé|clef|clave|llave|chiave|chave|sleutel|klucz|"
    r"nyckel(?:n)?|nøgle(?:n)?|nøkkel(?:en)?|avain|klíč|kľúč|kulcs|cheia|ključ|anahtar[ıi]?|kunci|khóa|ключ[аеиом]{0,2}|апи-ключ)(?![^\W_])|キー|鍵|密钥|密鑰|키|"
    r"(?<=[\w-])(?:schlüssel|sleutel|nyckeln?|nøglen?|nøkkelen?|avain|kulcs)(?![^\W_])"
)
"""`key` in other languages, and in English where a whole word says so."""

VENDORS = """
adyen agora algolia amplitude anthropic aws azure bandwidth bitbucket braintree bugsnag clerk cloudflare cloudinary cohere confluent
contentful cosmos datadog deepl digitalocean discord elastic eventhub fastly firebase freshdesk gcp gemini google grafana heroku honeycomb
hubspot intercom iothub klaviyo launchdarkly linode logdna loggly mailchimp mailgun mandrill mapbox messagebird mistral mixpanel newrelic
new_relic nexmo okta onesignal openai opsgenie pagerduty paypal pinecone plaid plivo postmark pubnub pusher qdrant recaptcha rollbar
segment sendgrid sentry servicebus shodan shopify slack sparkpost splunk stripe supabase telnyx twilio typesense virustotal vonage vultr
weaviate zendesk
""".split()
"""Services; what calls itself their key is one."""

SECRETIVE = r"secret(?!ar|ion)|token(?!i[sz])|credential"
"""Names of secrets; `tokenization_method` and `secretary` name none."""
_INSIDE = frozenset(("token",))
"""Short words that also count at the end of others: `authtoken`."""
_NOT_BEFORE = {"secret": "(?!ar|ion)", "token": "(?!i[sz])"}

_SHORT = 5
_EDGE = r"(?:(?<![^\W\d_])|(?-i:(?<=[a-z])(?=[A-Z])))"
"""A short word counts where it begins, or after a hump of camel case."""


_END = r"(?:(?![^\W\d_])|(?-i:(?=[A-Z][a-z])))"


def _is_short(word: str) -> bool:
    """Words of scripts without blanks, or with prefixes, have no edges."""
    return len(word) <= _SHORT and ord(max(word)) < 0x0530


def pattern_of(words: Iterable[str]) -> str:
    """`_` in a word stands for a blank, a joint or nothing."""
    spelled = sorted(dict.fromkeys(words), key=len, reverse=True)
    return "|".join(
        f"{_EDGE * (_is_short(word) and word not in _INSIDE)}{re.escape(word).replace('_', '[ _-]?')}{_NOT_BEFORE.get(word, '')}{_END * _is_short(word) * (word not in _NOT_BEFORE)}"
        for word in spelled
    )


def literals_of(words: Iterable[str]) -> tuple[str, ...]:
    """What every place has in it where one of these words stands, each for as many of them as possible."""
    starts = dict.fromkeys(start for word in words for start in _starts(word))
    found = [word for word in starts if not any(word != other and word.startswith(other) for other in starts)]
    narrow = [word for word in found if ord(max(word)) < 256]
    wide = [form for word in found if ord(max(word)) >= 256 for form in (word, word.capitalize(), word.upper())]
    return tuple(dict.fromkeys((*narrow, *wide)))


def _starts(word: str) -> list[str]:
    """The part before the first gap; a short one is in every second line, so what follows it is sought with it."""
    start, gap, rest = word.partition("_")
    if not gap or len(start) > _SHORT:
        return [start]
    following = rest.partition("_")[0]
    return [f"{start}{joint}{following}" for joint in (" ", "_", "-", "")]


def key_pattern() -> str:
    """Looks back for what the key is for, with or without a joint."""
    behind = "|".join(rf"(?<={word})|(?<={word}[_. -])" for word in KEYS_TO)
    return rf"(?:{behind})key"


_STILL = (
    "still|now|always|immer noch|weiterhin|noch|toujours|encore|nog steeds|nog altijd|todavía|aún|ainda|ancora|sempre|rimasta|rimasto|pořád|stále|nadal|wciąż|"
    "fortfarande|stadig|fortsatt|edelleen|hâlâ|halen|mindig|încă|još|vedno|до сих пор|всё ещё|все еще|по-прежнему|досі|все още"
)
IS = (
    rf"(?:is|ist|war|est|c'est|es|è|é|jest|je|är|er|on|was|wordt)[ \t](?:{_STILL})|{_STILL}|"
    r"is|was|are|be|becomes|equals|reads|will be|still|now|currently|has been set to|(?:is|was|has been|been|be|get|gets|got)? ?"
    r"(?:set|changed|reset|rotated|updated|switched|changes|defaults) to|to|into|from|=|:|ist|jetzt|nun|lautet|war|wird|hei(?:ß|ss)t|"
    r"auf|vorläufig|aktuell|est|c'est|était|sera|devient|reste|à|en|es|era|será|está|sigue siendo|ahora|a|è|ora|in|e'|sarà|é|ficou|"
    r"continua|agora|para|wordt|luidt|naar|nog|jest|brzmi|na|to|nadal|är|nu|var|er|on|oli|nyt|je|bylo|zní|este|e|acum|là|adalah|"
    r"ialah|olarak|είναι|это|такой|теперь|на|це|є|е|היא|הוא|هي|هو|है|hai|ہے|ir|yra|znie|jako|ändrat till|sattes till|følgende|följande|a été changé en|"
    r"(?:gewijzigd|veranderd|changé|cambiat[ao]|modificat[ao]|alterad[ao]|zmienione|změněno|geändert) (?:in|en|naar|a|à|para|na|zu)|gesetzt auf|-|–|—|->|→|=>"
)
"""Between a word and its value, in about twenty languages."""
IS_UNSPACED = (
    r"[\u0e00-\uffef]{0,4}[ \t]{0,2}(?:是|为|為|：|は|が|を|는|은|이|가|คือ|(?<=[\u0e00-\uffef])[:=])[ \t]{0,2}"
)

_SAME = str.maketrans("łøđıħŁØĐĦيىك", "lodihlodhییک")
"""Letters that have no decomposition, or two code points for one letter."""


def folded(text: str) -> str:
    """`rodné` and `rodne` are one word, and `إقامة` is `اقامة`."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.translate(_SAME))
    return "".join(char for char in letters if not unicodedata.combining(char)).lower()
