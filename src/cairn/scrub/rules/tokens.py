"""Keys and tokens that show by their form whose they are."""

from string import ascii_letters, digits

from cairn.scrub import checks
from cairn.scrub.rule import Check, Rule

ALNUM = ascii_letters + digits
_EDGE = r"(?![A-Za-z0-9])"


def _token(name: str, starts: str, rest: str, *, check: Check = checks.token) -> Rule:
    """One whose beginning is fixed: `starts` are the beginnings, with spaces between."""
    words = tuple(starts.split())
    heads = "|".join(word.replace(".", r"\.") for word in words)
    return Rule(name, rf"(?<![A-Za-z0-9])(?:{heads}){rest}{_EDGE}", words=words, check=check)


TOKENS: tuple[Rule, ...] = (
    Rule(
        "private-key",
        r"-----BEGIN (?P<kind>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
        r"(?:(?:(?!-----)[\s\S]){40,30000}+-----END (?P=kind)-----"
        r"|(?:\\[rn]|[\s\"'+,])*+[A-Za-z0-9+/=]{40,4000}+(?:(?:\\[rn]|[\s\"'+,])++[A-Za-z0-9+/=]{16,4000}+)*+)",
        literals=("-----begin",),
        reach=31_000,
    ),
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z2-7]{16}"),
    _token("google-api-key", "AIza", r"[A-Za-z0-9_-]{35}"),
    _token("google-oauth", "ya29. GOCSPX-", r"[A-Za-z0-9_-]{20,600}"),
    Rule("azure-storage-key", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{80,90}={0,2})", literals=("accountkey=",), check=checks.token),
    Rule("azure-signature", r"(?<=[?&;])sig=(?P<secret>[A-Za-z0-9%/+]{40,90}={0,2})", literals=("sig=",)),
    Rule(
        "azure-client-secret",
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])",
        literals=("q~",),
        before=4,
        back=ALNUM + "_~.-",
        check=checks.token,
    ),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,255}"),
    _token("github-token", "github_pat_", r"[A-Za-z0-9_]{36,255}"),
    _token(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glagent- gloas- glimt- glffct-",
        r"[A-Za-z0-9_.-]{20,300}",
    ),
    _token("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb-", r"[A-Za-z0-9-]{10,250}"),
    _token("slack-token", "xapp-", r"\d-[A-Z0-9]{5,20}-\d{5,20}-[a-z0-9]{20,100}"),
    Rule(
        "slack-webhook",
        r"hooks\.slack\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,120})",
        literals=("hooks.slack.com/",),
        check=checks.token,
    ),
    Rule(
        "discord-webhook",
        r"discord(?:app)?\.com/api/webhooks/(?P<secret>\d{15,22}/[A-Za-z0-9_-]{50,100})",
        literals=("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
        check=checks.token,
    ),
    _token("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", r"[A-Za-z0-9]{16,250}"),
    _token("stripe-key", "whsec_", r"[A-Za-z0-9+/=]{24,100}"),
    _token("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
    _token("pypi-token", "pypi-", r"[A-Za-z0-9_-]{50,500}"),
    _token("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{20,200}", check=checks.varied_token),
    _token("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-", r"[A-Za-z0-9_-]{20,250}", check=checks.varied_token),
    _token("huggingface-token", "hf_ api_org_", r"[A-Za-z]{30,40}", check=checks.varied_token),
    _token("model-key", "gsk_ xai- pplx- r8_ fw_ tgp_v1_", r"[A-Za-z0-9_-]{32,120}", check=checks.varied_token),
    _token("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _token("twilio-key", "SK", r"[0-9a-f]{32}", check=checks.hex_token),
    Rule(
        "twilio-token",
        r"(?<![A-Za-z0-9])AC[0-9a-f]{32}[\"']?[ \t]{0,2}[,:][ \t]{0,2}[\"']?(?P<secret>[0-9a-f]{32})(?![A-Za-z0-9])",
        words=("AC",),
        check=checks.hex_token,
    ),
    _token("mailgun-key", "key-", r"[0-9a-f]{32}", check=checks.hex_token),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    _token("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?", check=checks.hex_token),
    _token("vault-token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{24,300}"),
    _token("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[A-Za-z0-9_.-]{30,80}"),
    _token("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,64}"),
    _token("notion-token", "ntn_ secret_", r"[A-Za-z0-9]{43,50}", check=checks.varied_token),
    _token("figma-token", "figd_ figu_", r"[A-Za-z0-9_-]{40,80}"),
    _token("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_=-]{32,400}", check=checks.varied_token),
    _token("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9_=+/-]{40,400}"),
    _token("newrelic-key", "NRAK- NRJS- NRII-", r"[A-Za-z0-9_-]{19,40}"),
    _token("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("docker-token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{27,40}"),
    _token("atlassian-token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_=-]{24,300}", check=checks.varied_token),
    _token("rubygems-token", "rubygems_", r"[0-9a-f]{48}"),
    _token("supabase-token", "sbp_", r"[0-9a-f]{40}"),
    _token("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{32,80}"),
    _token("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    _token("square-token", "sq0csp- sq0atp- EAAA", r"[A-Za-z0-9_-]{22,80}", check=checks.varied_token),
    Rule(
        "telegram-token",
        r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])",
        literals=(":aa",),
        before=10,
        back=digits,
        check=checks.token,
    ),
    Rule(
        "terraform-token",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,90}(?![A-Za-z0-9])",
        literals=(".atlasv1.",),
        before=14,
        back=ALNUM,
        check=checks.token,
    ),
    _token("discord-token", "MT Mj Mz ND NT Nj Nz OD OT", r"[A-Za-z0-9_-]{21,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}"),
    _token("discord-token", "mfa.", r"[A-Za-z0-9_-]{80,95}"),
    _token("matrix-token", "syt_", r"[A-Za-z0-9+/=_-]{8,80}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}"),
    _token("openrouter-key", "sk-or-v1-", r"[0-9a-f]{64}"),
    _token("langfuse-key", "sk-lf- pk-lf-", r"[0-9a-f-]{36}"),
    _token("model-key", "lsv2_pt_ lsv2_sk_ pcsk_ tvly- fc- jina_ nvapi- co_ sk_car_ esecret_ key_ hf_oauth_", r"[A-Za-z0-9_-]{24,140}", check=checks.varied_token),
    _token("elevenlabs-key", "sk_", r"[0-9a-f]{48}", check=checks.hex_token),
    _token("brevo-key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _token("resend-key", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    _token("tailscale-key", "tskey-auth- tskey-api- tskey-client-", r"[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}"),
    _token("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{20,24}_[0-9a-f]{40}"),
    _token("buildkite-token", "bkua_ bkct_", r"[0-9a-f]{40}"),
    _token("pulumi-token", "pul-", r"[0-9a-f]{40}"),
    _token("netlify-token", "nfp_ nfc_ nfu_", r"[A-Za-z0-9]{36,64}"),
    _token("render-key", "rnd_", r"[A-Za-z0-9]{24,40}", check=checks.varied_token),
    _token("fly-token", "fo1_ fm2_ fm1r_ fm1a_", r"[A-Za-z0-9_=+/-]{40,600}"),
    _token("prefect-key", "pnu_ pnb_", r"[A-Za-z0-9]{36}"),
    _token("contentful-token", "CFPAT-", r"[A-Za-z0-9_-]{43}"),
    _token("sourcegraph-token", "sgp_ sgd_ slk_", r"[A-Za-z0-9_]{40,100}"),
    _token("hubspot-token", "pat-na1- pat-na2- pat-eu1-", r"[0-9a-f-]{36}"),
    _token("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _token("asana-token", "1/", r"\d{14,18}:[0-9a-f]{32}"),
    _token("dropbox-token", "sl.", r"[A-Za-z0-9_-]{60,1400}", check=checks.varied_token),
    _token("typeform-token", "tfp_", r"[A-Za-z0-9_.-]{40,70}"),
    _token("paypal-token", "access_token$production$", r"[0-9a-z]{16}\$[0-9a-f]{32}"),
    _token("payment-key", "rzp_live_ rzp_test_ FLWSECK- FLWSECK_TEST- EZAK EZTK pk_prod_ sk_prod_ mollie_live_ live_", r"[A-Za-z0-9_-]{14,60}", check=checks.varied_token),
    _token("mapbox-token", "sk. tk.", r"eyJ[A-Za-z0-9_-]{40,120}\.[A-Za-z0-9_-]{20,30}"),
    _token("1password-token", "ops_", r"eyJ[A-Za-z0-9_=-]{100,2000}"),
    _token("okta-token", "SSWS", r"[ ]00[A-Za-z0-9_-]{40}"),
    _token("facebook-token", "EAA", r"[A-Za-z0-9]{60,300}", check=checks.varied_token),
    _token("heroku-key", "HRKU-", r"[A-Za-z0-9_-]{36,70}"),
    _token("artifactory-token", "AKCp", r"[A-Za-z0-9]{60,80}"),
    _token("neon-key", "napi_", r"[a-z0-9]{40,80}", check=checks.varied_token),
    _token("supabase-token", "sb_secret_", r"[A-Za-z0-9_-]{20,60}"),
    _token("duffel-token", "duffel_test_ duffel_live_", r"[A-Za-z0-9_=-]{43}"),
    _token("adafruit-key", "aio_", r"[A-Za-z0-9]{28}"),
    _token("cloudflare-key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{146}"),
    _token("yandex-key", "AQVN t1.", r"[A-Za-z0-9_-]{35,200}(?:\.[A-Za-z0-9_-]{60,120})?", check=checks.varied_token),
    _token("snyk-token", "snyk_uat. snyk_sat.", r"[0-9a-f]{8}\.[A-Za-z0-9_.-]{40,900}"),
    Rule(
        "mailchimp-key",
        r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])",
        literals=("-us",),
        before=32,
        back="0123456789abcdef",
        check=checks.hex_token,
    ),
    Rule(
        "twitch-token",
        r"oauth:(?P<secret>[a-z0-9]{30})(?![A-Za-z0-9])",
        literals=("oauth:",),
        check=checks.token,
    ),
    Rule(
        "aws-session-token",
        r"(?<![A-Za-z0-9+/])(?:FwoGZXIvYXdzE|IQoJb3JpZ2lu)[A-Za-z0-9+/]{100,2000}={0,2}",
        literals=("fwogzxivyxdze", "iqojb3jpz2lu"),
        reach=2100,
    ),
    Rule(
        "firebase-key",
        r"(?<![A-Za-z0-9])AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}",
        literals=(":apa91b",),
        before=11,
        back=ALNUM + "_-",
    ),
    Rule(
        "webhook",
        r"(?:outlook\.office(?:365)?\.com/webhook|webhook\.office\.com/webhookb2|chat\.googleapis\.com/v1/spaces|"
        r"hooks\.zapier\.com/hooks|maker\.ifttt\.com/trigger|oapi\.dingtalk\.com/robot|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot|"
        r"qyapi\.weixin\.qq\.com/cgi-bin/webhook|hook\.(?:[a-z0-9]+\.)?(?:make|integromat)\.com|api\.telegram\.org/bot|"
        r"events\.pagerduty\.com/integration|hooks\.chime\.aws/incomingwebhooks|[a-z0-9.-]{1,60}\.m\.pipedream\.net|"
        r"discord\.com/api/webhooks|notify\.run|api\.pushover\.net|rest\.nexmo\.com|alerts\.opsgenie\.com)"
        r"(?P<secret>[/?][^\s\"'`<>)]{20,400})",
        literals=("outlook.office", "webhook.office.com", "chat.googleapis.com/v1/spaces", "hooks.zapier.com/", "maker.ifttt.com/",
                  "oapi.dingtalk.com/", "open.feishu.cn/", "open.larksuite.com/", "qyapi.weixin.qq.com/", "hook.make.com",
                  "hook.integromat.com", "hook.eu", "hook.us", "api.telegram.org/bot", "events.pagerduty.com/", "hooks.chime.aws/"),
        reach=500,
        check=checks.in_webhook,
    ),
    Rule(
        "webhook",
        r"/hooks?/(?:catch/|incoming/)?(?P<secret>[A-Za-z0-9]{17,64}(?:/[A-Za-z0-9]{16,80})?)(?![A-Za-z0-9_-])",
        literals=("/hooks/", "/hook/"),
        check=checks.varied_token,
    ),
    Rule(
        "webhook",
        r"/webhooks?(?:[/-][a-z0-9-]{1,20}){0,3}/(?P<secret>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{24,120})(?![A-Za-z0-9_-])",
        literals=("/webhook",),
        check=checks.varied_token,
    ),
    _token("posthog-key", "phx_ phc_", r"[A-Za-z0-9]{40,60}"),
    _token("vault-token", "s. b.", r"[A-Za-z0-9]{24}", check=checks.varied_token),
    _token("jwt", "eyJ", r"[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{6,8000}\.[A-Za-z0-9_-]{16,1000}", check=checks.jwt),
)  # fmt: skip
