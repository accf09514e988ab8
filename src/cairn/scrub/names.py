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
parool parole sshpass dbpass rootpass adminpass smtppass ldappass keypass storepass mailpass ftppass psk preshared_key pre-shared_key
pre_shared_key wifi_key wi-fi_key wlan-schlüssel wifi-schlüssel clé_wi-fi clé_wifi wpa_key redis_auth wachtwoorden ww wpa2_key
codeword kode_sandi clave_del_wifi parola_d'ordine salasanasi code_wifi
""".split()
SECRET = """
secret secrets geheimnis geheimschlüssel geheim secreto segredo segreto geheimwoord tajemnica sekret hemlighet token jeton
credential credentials секрет токен 密钥 密鑰 令牌 トークン シークレット 秘密鍵 비밀키 토큰 시크릿
""".split()
KEY = """
api_key api-key apikey access_key access-key accesskey private_key private-key privatekey signing_key signing-key signingkey
encryption_key encryption-key encryptionkey account_key account-key accountkey master_key master-key masterkey auth_key
auth-key authkey service_key service-key servicekey shared_key shared-key sharedkey secret_key client_key license_key
sharedaccesskey session_key app_key application_key subscription-key subscription_key subscriptionkey publishable_key
rest_key write_key ingest_key webhook_key bot_key deploy_key project_key routing_key integration_key functions-key
api-schlüssel api_schlüssel schlüssel clé_api clé_d'api cle_api clave_api clave_de_api chiave_api api-sleutel klucz_api
chave_api chave_de_api chave_da_conta consumer_key storage_key hmac_key crypt_key jwt_key encrypt_key decrypt_key cipher_key
admin_key server_key user_key host_key root_key bearer_token gateway_key klucz_do_api klucz_dostępu chiave_di_accesso clave_de_acceso api-nyckel ключ_api api-ключ ключ_доступа apiキー api密钥 api키
""".split()

_SHORT = 5
_EDGE = r"(?:(?<![^\W\d_])|(?-i:(?<=[a-z])(?=[A-Z])))"
"""A short word counts where it begins, or after a hump of camel case."""


_END = r"(?:(?![^\W\d_])|(?-i:(?=[A-Z][a-z])))"


def pattern_of(words: Iterable[str]) -> str:
    """`_` in a word stands for a blank, a joint or nothing."""
    spelled = sorted(dict.fromkeys(words), key=len, reverse=True)
    return "|".join(
        f"{_EDGE if len(word) <= _SHORT else ''}{re.escape(word).replace('_', '[ _-]?')}{_END if len(word) <= _SHORT else ''}"
        for word in spelled
    )


def literals_of(words: Iterable[str]) -> tuple[str, ...]:
    """What every place has in it where one of these words stands, each for as many of them as possible."""
    starts = dict.fromkeys(word.partition("_")[0] for word in words)
    found = [word for word in starts if not any(word != other and word.startswith(other) for other in starts)]
    narrow = [word for word in found if ord(max(word)) < 256]
    wide = [form for word in found if ord(max(word)) >= 256 for form in (word, word.capitalize(), word.upper())]
    return tuple(dict.fromkeys((*narrow, *wide)))


IS = (
    r"is|was|are|be|becomes|equals|reads|will be|still|now|currently|has been set to|(?:is|was|has been|been|be|get|gets|got)? ?"
    r"(?:set|changed|reset|rotated|updated|switched|changes|defaults) to|to|into|from|=|:|ist|jetzt|nun|lautet|war|wird|hei(?:ß|ss)t|"
    r"auf|vorläufig|aktuell|est|c'est|était|sera|devient|reste|à|en|es|era|será|está|sigue siendo|ahora|a|è|ora|in|e'|sarà|é|ficou|"
    r"continua|agora|para|wordt|luidt|naar|nog|jest|brzmi|na|to|nadal|är|nu|var|er|on|oli|nyt|je|bylo|zní|este|e|acum|là|adalah|"
    r"ialah|olarak|είναι|это|теперь|на|це|היא|הוא|هي|هو|-|–|—|->|→|=>"
)
"""Between a word and its value, in about twenty languages."""
IS_UNSPACED = r"\w{0,4}[ \t]{0,2}(?:是|为|為|：|:|は|が|を|는|은|이|가|=)[ \t]{0,2}"
