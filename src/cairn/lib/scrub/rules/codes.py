"""Codes that open something: PINs, recovery codes, seeds of authenticators, license keys, cookies of sessions."""

import re

from cairn.lib.scrub import codes
from cairn.lib.scrub.rule import Column, ScrubRule

_GAP = r"(?:[ \t]\(?[^\s\"'`=:;,]{1,30}){0,6}?(?:[=:][\"'`]?(?=\d)|[ \t]?===?[ \t]?[\"'`]|(?:[ \t]?[:=：#]|[ \t](?:is|are|ist|lautet|est|es|è|é|jest|är|er|on|was|left|=|-|–)[ \t]?:?|)[\s\"'`(«]{1,4}(?:[-*•][ \t]|\d{1,2}[.)][ \t])?)"
_TIGHT = r"[\"'`]?(?:[ \t]?[:=：#,][\s\"'`(«\[]{0,12}|[ \t\"'`(«]{1,3}|:?\n{1,2}[ \t*-]{0,4}(?:\d{1,2}[.)] )?)"
_CODE = r"(?:(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}|\d{3,5}(?: \d{3,5}){1,5}|(?=[A-Za-z0-9]{0,15}\d)[A-Za-z0-9]{6,20})"
_ANOTHER = r"(?:[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|\d{3,5}(?: \d{3,5}){1,5}|(?=[A-Za-z0-9]{0,15}\d)[A-Za-z0-9]{6,20}|[0-9a-f]{32,64})"
"""Once one was found, the next need no digit."""

_PIN_WORDS = (
    r"(?<![^\W_])(?:pin(?:[ _-]?(?:codes?|nummer|number|kod(?:en)?|koden))?|puk|otp|mfa code|2fa code|totp code|passcode|one[- ]time (?:password|passcode|code)|(?:sms|unlock|alarm|door|gate|access|entry|"
    r"security|verification|confirmation|login|safe|vault|lock|voicemail|pairing|garage|kod)[ -]?codes?|geheimzahl|(?:tür|alarm|zugangs|sicherheits|bestätigungs|einmal|freischalt)[ -]?code|"
    r"code (?:pin|secret|d'accès|de la porte|de sécurité|de l'alarme|de vérification|de déverrouillage)|c[óo]digo (?:pin|de acceso|de la alarma|de la puerta|secreto|de verificación|de seguridad|de acesso|da porta|do alarme|de verificação)|"
    r"codice (?:pin|di accesso|segreto|allarme|della porta|di sicurezza|di verifica)|toegangscode|pincode|alarmcode|kod (?:pin|dostępu|do drzwi|do alarmu|weryfikacyjny)|portkod|larmkod|ovikoodi|"
    r"пин(?:-код)?|код (?:доступа|домофона|подтверждения)|验证码|暗証番号(?:は)?|인증번호|(?:현관|도어락|출입) ?비밀번호|门禁密码|开门密码)"
)
_RECOVERY_WORDS = (
    r"(?:recovery|backup|rescue|restore|scratch|emergency)[ _-]?(?:codes?|keys?)(?:\.\w{2,4})?|unseal[ _-]?keys?(?: \d)?|c[óo]digos? de backup|wiederherstellungs(?:code|schlüssel)s?|backup-?codes?|notfallcodes?|"
    r"codes? de (?:secours|récupération|sauvegarde)|c[óo]digos? de (?:recuperación|respaldo|recuperação|recuperacao|recuperacion|segurança|emergencia)|codic[ei] di (?:recupero|backup|ripristino|emergenza)|"
    r"herstelcodes?|reservecodes?|kod\w? (?:zapasow\w+|odzyskiwania)|återställningskod\w*|reservkod\w*|gendannelseskod\w*|palautuskood\w*|obnovovac\w+ k[óo]d\w*|záložn\w+ k[óo]d\w*|"
    r"cod(?:uri)? de recuperare|kurtarma kod\w*|yedek kod\w*|kód\w* obnovy|kod\w* obnove|emergency kit codes?|备用验证码|备用码|备份码|백업 코드|код\w* восстановления|резервн\w+ код\w*|恢复代码|恢复码|リカバリーコード|バックアップコード|복구 코드"
)
_LICENSE_WORDS = (
    r"(?:licen[cs]e|product|activation|registration|serial|cd|software|retail|volume)[ _-]?(?:keys?|codes?|numbers?|no\.?|serial)?|serial(?:number|no)?|li[sz]en[sz](?:schlüssel|key|code|nummer)\w*|"
    r"produktschlüssel|aktivierungs(?:schlüssel|code)|cl[ée]s? (?:de )?(?:licence|produit|d'activation)|(?:clave|código|codigo|número) de (?:licencia|producto|activación|serie)|"
    r"(?:chiave|codice) (?:di )?(?:licenza|prodotto|attivazione)|(?:chave|código) d[eo] (?:licença|licenca|produto|ativação|ativacao)|licentie(?:sleutel|code)|productsleutel|activeringscode|"
    r"klucz (?:licencyjny|produktu|aktywacyjny)|kod aktywacyjny|licensnyckel|produktnyckel|lisenssinøkkel|licenční klíč|лицензионн\w+ ключ\w*|ключ (?:продукта|лицензии|активации)|许可证密钥|产品密钥|激活码|ライセンスキー|プロダクトキー|시리얼|[/-]ipk|/sn|<productkey>|licen[cs]e accepted key="
)
_COOKIE = r"[A-Za-z0-9%+/=._~-]{16,600}"

CODES: tuple[ScrubRule, ...] = (
    ScrubRule(
        "pin",
        rf"{_PIN_WORDS}(?![^\W_]){_GAP}(?P<secret>\d{{4,8}}|\d{{3}}[ -]\d{{3}}|(?=[A-Z]*\d)[A-Z0-9]{{5,8}})(?![A-Za-z0-9_]|[.,:/-]\d)",
        literals=("pin", "puk", "otp", "mfa code", "2fa code", "passcode", "one-time", "one time", "code", "código", "codigo", "codice", "kod ", "portkod", "larmkod",
                  "geheimzahl", "ovikoodi", "sms", "unlock", "alarm", "door", "gate", "access", "entry", "security", "verification", "confirmation", "login", "safe", "lock",
                  "voicemail", "pairing", "garage", "tür", "zugangs", "sicherheits", "bestätigungs", "einmal", "freischalt", "toegangs",
                  "пин", "Пин", "ПИН", "код ", "Код ", "验证码", "暗証番号", "인증번호", "현관", "도어락", "출입", "门禁密码", "开门密码"),
        flags=re.IGNORECASE,
        check=codes.pin,
    ),
    ScrubRule(
        "recovery-code",
        rf"(?:{_RECOVERY_WORDS})\w{{0,3}}(?:,[ \t][^\n:]{{1,40}}(?=:))?(?:{_GAP}|{_TIGHT})(?P<secret>(?:{_CODE}|[0-9a-f]{{32,64}}|(?<=[:\s])[A-Za-z0-9+/]{{44}}|(?-i:[A-Z0-9]{{5}}-[A-Z0-9]{{5}}))(?:[\s\"'`*,;/|\[\]-]{{1,12}}(?:\d{{1,2}}[.)] )?{_ANOTHER}){{0,24}})(?![A-Za-z0-9])",
        literals=("unseal", "recovery", "backup", "rescue", "restore", "scratch", "emergency", "wiederherstellungs", "notfallcode", "codes de", "code de", "códigos", "código", "codigo", "codici", "codice",
                  "herstelcode", "reservecode", "kody ", "kod ", "återst", "reservkod", "gendannelse", "palautuskoo", "obnovovac", "záložn", "coduri", "cod de", "kurtarma", "yedek", "kódy ", "kód ", "kodovi ", "备用", "备份码", "백업 코드", "код", "Код", "резервн", "Резервн",
                  "恢复", "リカバリーコード", "バックアップコード", "복구 코드"),
        flags=re.IGNORECASE,
        reach=1800,
        column=Column(rf"(?:{_RECOVERY_WORDS})\w{{0,3}}", codes.recovery_cell),
        check=codes.recovery,
    ),
    ScrubRule(
        "totp-seed",
        r"(?i:totp|hotp|otp(?:auth)?|2fa|mfa|authenticator|oathtool|setup[ _-]?key|(?:manual|secret)[ _-]?entry|base32|key[ ]manually|(?:enter|type)[ ](?:this|the)[ ](?:key|code)|geheimschlüssel|两步验证|双重验证|两步驗證|二段階認証|2단계|google[ _-]auth|two[- ]factor|zwei-faktor|zweifaktor|autenticador|authentificat(?:eur|ion)|authentifizier\w{0,6}|autenticatore|аутентификатор\w{0,2}|認証アプリ|인증 ?앱|身份验证器|验证器)(?:[^\n]{0,70}?|[^\n]{0,20}\n[ \t>|]{0,8}(?:[^\n]{0,30}\n[ \t>|]{0,8})?(?:key|secret)?:?[ \t]{0,3})(?<![A-Za-z0-9+/_-])"
        r"(?P<secret>[A-Z2-7]{16,64}|[a-z2-7]{16,64}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}|(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4})(?![A-Za-z0-9+/_-])",
        literals=("totp", "hotp", "otp", "2fa", "mfa", "authenticator", "oathtool", "manual entry", "secret entry", "base32", "key manually", "enter this", "enter the", "type this", "type the", "geheimschlüssel", "两步验证", "双重验证", "二段階認証", "2단계", "setup key", "setup-key", "setup_key", "google auth", "two-factor", "two factor", "zwei-faktor", "zweifaktor", "autenticador", "authentificat", "authentifizier", "autenticatore", "аутентификатор", "認証アプリ", "인증", "身份验证器", "验证器"),
        check=codes.seed,
    ),
    ScrubRule(
        "license-key",
        rf"(?:{_LICENSE_WORDS})\w{{0,3}}(?:{_GAP}|{_TIGHT}|(?<=[>=]))(?P<secret>(?-i:[A-Z0-9]{{4,8}}(?:-[A-Z0-9]{{4,8}}){{2,9}}|(?=[A-Z0-9]{{0,12}}\d)[A-Z0-9]{{10,40}}))(?![A-Za-z0-9-])",
        literals=("licen", "lizenz", "lisens", "product", "produkt", "activation", "aktivierung", "registration", "serial", "software", "clé", "cle ", "clave", "código", "chiave", "codice", "chave", "productsleutel",
                  "activeringscode", "klucz", "kod aktyw", "лицензи", "Лицензи", "ключ", "Ключ", "许可证密钥", "产品密钥", "激活码", "ライセンスキー", "プロダクトキー", "시리얼", "/ipk", "-ipk", "<productkey>", "/sn", "número de", "cd-key", "cd key"),
        flags=re.IGNORECASE,
        check=codes.license_key,
    ),
    ScrubRule(
        "session-cookie",
        r"(?:sess(?:ion)?|sid|jsessionid|cookies?|remember|login_?token|auth_?token|xsrf|csrf|identity|\.sid)[A-Za-z0-9_.-]{0,40}"
        rf"(?:=|[ \t]?=>[ \t]?|[\"'][ \t]?[:,][ \t]?[\"']|[\"'],[ \t]?\"value\"[ \t]?:[ \t]?[\"']|\t|:[ \t])[\"']?(?P<secret>{_COOKIE})(?![A-Za-z0-9%+/=._~-])",
        literals=("sess", "sid", "csrf", "xsrf", "cookie", "remember", "login_token", "auth_token"),
        flags=re.IGNORECASE,
        reach=800,
        check=codes.cookie,
    ),
    ScrubRule(
        "session-cookie",
        r"(?:cookies?| -b)(?:[\"'\])]{0,2}[ \t]?[:=][ \t]?|[ \t])[\"'{[]{0,3}(?:[^\n;]{1,300};[ ]?){0,12}?[\"']?(?!_ga|_gid|_fbp|utm|lang|locale|theme|consent)[\w.:%$-]{1,60}"
        r"(?:=|[\"'][ \t]?[:,][ \t]?[\"'])(?=[^;\s\"']{0,60}\d)(?!GA1|[\w-]{1,20}\.\d{10})(?P<secret>[A-Za-z0-9%+/=._~:-]{20,600})(?![A-Za-z0-9%+/=._~-])",
        literals=("cookie", " -b "),
        flags=re.IGNORECASE,
        reach=1200,
        check=codes.cookie,
    ),
    ScrubRule(
        "totp-seed",
        r"(?P<secret>[A-Z2-7]{16,64})\n\" (?:RATE_LIMIT|WINDOW_SIZE|TOTP_AUTH|DISALLOW_REUSE|HOTP_COUNTER)",
        literals=("rate_limit", "window_size", "totp_auth", "disallow_reuse", "hotp_counter"),
        before=70,
        back="ABCDEFGHIJKLMNOPQRSTUVWXYZ234567\n\" ",
    ),
    ScrubRule(
        "session-cookie",
        r"(?:wordpress_(?:logged_in|sec)_[0-9a-f]{32}=|session[ _]?(?:id|key)?[ \t]?[=:][ \t]?[\"']?|session[ \t]id=|addcookies?\(\[?\{[^{}\n]{0,120}?value[\"']?:[ \t]?[\"'])"
        rf"(?P<secret>{_COOKIE})(?![A-Za-z0-9%+/=._~-])",
        literals=("wordpress_", "session", "addcookie"),
        flags=re.IGNORECASE,
        reach=900,
        check=codes.cookie,
    ),
    ScrubRule(
        "passphrase",
        r"(?:these[ ](?:12|24|15|18|21)[ ]words|wallet[ ](?:backup|seed|recovery)|(?:12|24)[ -]word)[^\n]{0,80}\s{1,20}[\"'`]?(?P<secret>(?:[a-z]{3,8}[ \n]){11,23}[a-z]{3,8})(?![a-z])",
        literals=("these 1", "these 2", "wallet ", "12 word", "24 word", "12-word", "24-word"),
        flags=re.IGNORECASE,
    ),
    ScrubRule(
        "passphrase",
        r"(?:pass[ -]?phrase|seed[ -]phrase|recovery[ -]phrase|mnemonic|seed words|secret phrase|wiederherstellungsphrase|phrase (?:de passe|secrète|de récupération)|frase (?:de contraseña|semilla|segreta|di recupero|secreta|de recuperação)|wachtwoordzin|hasło-fraza|wachtzin)"
        r"(?:[ \t][^\s\"'`=:;]{1,20}){0,6}?(?:[\"'`]?[ \t]?[:=][ \t]?|[ \t](?:is|ist|est|es|è|é|jest)[ \t]:?|[ \t])(?:[\"'`“«](?P<secret>[^\"'`\n”»]{8,200})[\"'`”»]|(?P<plain>(?:[a-z]{3,12}[ -]){3,24}[a-z]{3,12}(?=[ \t.]*(?:\n|$))))",
        literals=("passphrase", "pass phrase", "pass-phrase", "seed phrase", "seed-phrase", "recovery phrase", "mnemonic", "seed words", "secret phrase", "wiederherstellungsphrase", "phrase ", "frase ", "wachtwoordzin", "wachtzin"),
        flags=re.IGNORECASE,
        check=codes.passphrase,
    ),
)  # fmt: skip
