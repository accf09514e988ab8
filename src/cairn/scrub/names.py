"""What people call a secret: words of many languages, and the verbs that stand between such a word and its value."""

import re
from collections.abc import Iterable

PASSWORD = """
password passwd passwort passwords passwd passphrase pass_phrase pass-phrase passcode pass_code pass pwd psw pw pswd
userpassword userpass kennwort zugangscode contraseña contrasena contraseñas mot_de_passe mot-de-passe motdepasse mdp senha
palavra-passe palavra_passe wachtwoord hasło haslo hasła hasłem heslo hesla lösenord lösenordet losenord adgangskode
kodeord adgangskoden passord passordet salasana salasanan jelszó jelszo jelszava parola parolă parole parolei şifre sifre
şifresi sifresi kata_sandi mật_khẩu пароль пароля паролем паролю 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 كلمة_المرور
كلمة_السر סיסמה סיסמא κωδικός κωδικό पासवर्ड รหัสผ่าน clave clave_de_acceso lozinka gizli_kelime requirepass geslo slaptažodis
parool parole sshpass dbpass rootpass adminpass smtppass ldappass keypass storepass mailpass ftppass psk wlan-schlüssel wifi-schlüssel clé_wi-fi clé_wifi redis_auth wachtwoorden ww wi-fi_key wifi_key wi-fi-key
codeword kode_sandi clave_del_wifi parola_d'ordine salasanasi code_wifi
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
ключ_доступа apiキー api密钥 api키
""".split()

SECRETIVE = r"secret(?!ar|ion)|token(?!i[sz])|credential"
"""Names of secrets; `tokenization_method` and `secretary` name none."""
_NOT_BEFORE = {"secret": "(?!ar|ion)", "token": "(?!i[sz])"}

_SHORT = 5
_EDGE = r"(?:(?<![^\W\d_])|(?-i:(?<=[a-z])(?=[A-Z])))"
"""A short word counts where it begins, or after a hump of camel case."""


_END = r"(?:(?![^\W\d_])|(?-i:(?=[A-Z][a-z])))"


def _is_short(word: str) -> bool:
    """Words of scripts without blanks have no edges."""
    return len(word) <= _SHORT and ord(max(word)) < 0x2E80


def pattern_of(words: Iterable[str]) -> str:
    """`_` in a word stands for a blank, a joint or nothing."""
    spelled = sorted(dict.fromkeys(words), key=len, reverse=True)
    return "|".join(
        f"{_EDGE * _is_short(word)}{re.escape(word).replace('_', '[ _-]?')}{_NOT_BEFORE.get(word, '')}{_END * _is_short(word) * (word not in _NOT_BEFORE)}"
        for word in spelled
    )


def literals_of(words: Iterable[str]) -> tuple[str, ...]:
    """What every place has in it where one of these words stands, each for as many of them as possible."""
    starts = dict.fromkeys(word.partition("_")[0] for word in words)
    found = [word for word in starts if not any(word != other and word.startswith(other) for other in starts)]
    narrow = [word for word in found if ord(max(word)) < 256]
    wide = [form for word in found if ord(max(word)) >= 256 for form in (word, word.capitalize(), word.upper())]
    return tuple(dict.fromkeys((*narrow, *wide)))


def key_pattern() -> str:
    """Looks back for what the key is for, with or without a joint."""
    behind = "|".join(rf"(?<={word})|(?<={word}[_. -])" for word in KEYS_TO)
    return rf"(?:{behind})key"


IS = (
    r"is|was|are|be|becomes|equals|reads|will be|still|now|currently|has been set to|(?:is|was|has been|been|be|get|gets|got)? ?"
    r"(?:set|changed|reset|rotated|updated|switched|changes|defaults) to|to|into|from|=|:|ist|jetzt|nun|lautet|war|wird|hei(?:ß|ss)t|"
    r"auf|vorläufig|aktuell|est|c'est|était|sera|devient|reste|à|en|es|era|será|está|sigue siendo|ahora|a|è|ora|in|e'|sarà|é|ficou|"
    r"continua|agora|para|wordt|luidt|naar|nog|jest|brzmi|na|to|nadal|är|nu|var|er|on|oli|nyt|je|bylo|zní|este|e|acum|là|adalah|"
    r"ialah|olarak|είναι|это|теперь|на|це|היא|הוא|هي|هو|-|–|—|->|→|=>"
)
"""Between a word and its value, in about twenty languages."""
IS_UNSPACED = r"\w{0,4}[ \t]{0,2}(?:是|为|為|：|:|は|が|を|는|은|이|가|=)[ \t]{0,2}"
