"""Keys and tokens that show by their form whose they are, and codes that open something."""

import re
from string import ascii_letters, digits

from cairn.lib.scrub import checks, codes
from cairn.lib.scrub.rule import TOKEN_START, Check, Column, ScrubRule

ALNUM = ascii_letters + digits
_EDGE = r"(?![A-Za-z0-9])"


def _token(name: str, starts: str, rest: str, *, check: Check = checks.token) -> ScrubRule:
    """One whose beginning is fixed: `starts` are the beginnings, with spaces between."""
    words = tuple(starts.split())
    heads = "|".join(map(re.escape, words))
    return ScrubRule(name, rf"{TOKEN_START}(?:{heads}){rest}{_EDGE}", words=words, check=check)


TOKENS: tuple[ScrubRule, ...] = (
    ScrubRule(
        "private-key",
        r"-{4,5}(?:[ +]|%20)?BEGIN(?:[ +]|%20)(?P<kind>[A-Z0-9 +%]{0,40}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)?)(?:[ +]|%20)?-{4,5}"
        r"(?:(?:(?!----[ +%-])[\s\S]){40,30000}+-{4,5}(?:[ +]|%20)?END(?:[ +]|%20)(?P=kind)(?:[ +]|%20)?-{4,5}"
        r"|(?:(?:\\[rn]|[\s\"'+,>#*|])*+[A-Za-z-]{3,20}:[ ][^\n\\]{1,100}){0,6}(?:\\[rn]|[\s\"'+,>#*|])*+[A-Za-z0-9+/=]{40,4000}+(?:(?:\\[rn]|[\s\"'+,>#*|])++[A-Za-z0-9+/=]{16,4000}+)*+)",
        literals=("-----begin", "---- begin", "----%20begin"),
        reach=31_000,
    ),
    ScrubRule(
        "private-key",
        r"(?P<secret>(?:[A-Za-z0-9+/=]{0,80}\r?\n){1,80}+)-{4,5}END [A-Z ]{0,30}PRIVATE KEY-{4,5}",
        literals=("-----end",),
        before=6_000,
        back=f"{ALNUM}+/=\r\n",
        check=checks.cut_key,
    ),
    ScrubRule(
        "private-key",
        r"(?<![A-Za-z0-9+/])(?:LS0tLS1CRUdJTi|LS0tLSBCRUdJTi)[A-Za-z0-9+/]{30,20000}+(?:(?:\\n|\s{1,40})[A-Za-z0-9+/]{20,20000}+)*+(?:(?:\\n|\s{1,40})?[A-Za-z0-9+/]{0,80}={1,2})?",
        literals=("ls0tls1crudjti", "ls0tlsbcrudjti"),
        reach=20_100,
        check=checks.encoded_key,
    ),
    ScrubRule(
        "private-key",
        r"(?<![A-Za-z0-9+/])TFMwdExTMUNSVWRKVG[A-Za-z0-9+/]{40,28000}={0,2}",
        literals=("tfmwdextmunsvwrkvg",),
        reach=28_100,
        check=checks.twice_encoded_key,
    ),
    ScrubRule("private-key", r"(?<![A-Za-z0-9+/])RW[A-Za-z0-9+/]{4}Iy[A-Za-z0-9+/=]{180,260}", literals=("rwrty0iy",)),
    _token("nostr-key", "nsec1", r"[a-z0-9]{58}"),
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}"),
    _token("google-api-key", "AIza", r"[A-Za-z0-9_-]{35}"),
    _token("google-oauth", "ya29. GOCSPX-", r"[A-Za-z0-9_-]{20,600}"),
    ScrubRule("azure-storage-key", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{80,90}={0,2})", literals=("accountkey=",), check=checks.token),
    ScrubRule("azure-signature", r"(?<=[?&;])sig=(?P<secret>[A-Za-z0-9%/+_-]{40,90}={0,2})", literals=("sig=",)),
    ScrubRule(
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
    _token("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb-", r"[A-Za-z0-9%/+-]{10,250}"),
    _token("slack-token", "xapp-", r"\d-[A-Z0-9]{5,20}-\d{5,20}-[a-z0-9]{20,100}"),
    ScrubRule(
        "slack-webhook",
        r"hooks\.slack(?:-gov)?\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,120})",
        literals=("hooks.slack.com/", "hooks.slack-gov.com/"),
        check=checks.token,
    ),
    ScrubRule(
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
    ScrubRule(
        "twilio-token",
        r"(?<![A-Za-z0-9])AC[0-9a-f]{32}[\"']?[ \t]{0,2}[,:][ \t]{0,2}[\"']?(?P<secret>[0-9a-f]{32})(?![A-Za-z0-9])",
        words=("AC",),
        check=checks.hex_token,
    ),
    _token("mailgun-key", "key-", r"[0-9a-f]{32}", check=checks.hex_token),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[A-Za-z0-9]{64}"),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[A-Za-z0-9]{32}"),
    _token("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?", check=checks.hex_token),
    _token("vault-token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{24,300}"),
    _token("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[A-Za-z0-9_.-]{30,80}"),
    _token("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,64}"),
    _token("notion-token", "ntn_ secret_", r"[A-Za-z0-9]{43,50}", check=checks.varied_token),
    _token("figma-token", "figd_ figu_", r"[A-Za-z0-9_-]{40,80}"),
    _token("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_=-]{32,400}", check=checks.varied_token),
    _token("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9_=+/-]{40,400}"),
    _token("newrelic-key", "NRAK- NRJS- NRII-", r"[A-Za-z0-9_-]{19,40}"),
    _token("postman-key", "PMAK-", r"[A-Za-z0-9]{24}-[A-Za-z0-9]{34}"),
    _token("docker-token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{27,40}"),
    _token("atlassian-token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_=-]{24,300}", check=checks.varied_token),
    _token("rubygems-token", "rubygems_", r"[A-Za-z0-9]{48}"),
    _token("supabase-token", "sbp_", r"[A-Za-z0-9]{40}"),
    _token("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{32,80}"),
    _token("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    _token("square-token", "sq0csp- sq0atp- EAAA", r"[A-Za-z0-9_-]{22,80}", check=checks.varied_token),
    ScrubRule(
        "telegram-token",
        r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])",
        literals=(":aa",),
        before=10,
        back=digits,
        check=checks.token,
    ),
    ScrubRule(
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
    _token("openrouter-key", "sk-or-v1-", r"[A-Za-z0-9]{64}"),
    _token("langfuse-key", "sk-lf- pk-lf-", r"[A-Za-z0-9-]{36}"),
    _token("model-key", "lsv2_pt_ lsv2_sk_ pcsk_ tvly- fc- jina_ nvapi- co_ sk_car_ esecret_ key_ hf_oauth_", r"[A-Za-z0-9_-]{24,140}", check=checks.varied_token),
    _token("elevenlabs-key", "sk_", r"[0-9a-f]{48}", check=checks.hex_token),
    _token("brevo-key", "xkeysib- xsmtpsib-", r"[A-Za-z0-9]{64}-[A-Za-z0-9]{16}"),
    _token("resend-key", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    _token("tailscale-key", "tskey-auth- tskey-api- tskey-client-", r"[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}"),
    _token("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{20,24}_[A-Za-z0-9]{40}"),
    _token("buildkite-token", "bkua_ bkct_", r"[A-Za-z0-9]{40}"),
    _token("pulumi-token", "pul-", r"[A-Za-z0-9]{40}"),
    _token("netlify-token", "nfp_ nfc_ nfu_", r"[A-Za-z0-9]{36,64}"),
    _token("render-key", "rnd_", r"[A-Za-z0-9]{24,40}", check=checks.varied_token),
    _token("fly-token", "fo1_ fm2_ fm1r_ fm1a_", r"[A-Za-z0-9_=+/-]{40,600}"),
    _token("prefect-key", "pnu_ pnb_", r"[A-Za-z0-9]{36}"),
    _token("contentful-token", "CFPAT-", r"[A-Za-z0-9_-]{43}"),
    _token("sourcegraph-token", "sgp_ sgd_ slk_", r"[A-Za-z0-9_]{40,100}"),
    _token("hubspot-token", "pat-na1- pat-na2- pat-eu1-", r"[A-Za-z0-9-]{36}"),
    _token("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[A-Za-z0-9]{64}"),
    ScrubRule(
        "asana-token",
        r"(?<![A-Za-z0-9/])[0-2]/\d{13,18}(?:/\d{13,18})?:[0-9a-f]{32}(?![A-Za-z0-9])",
        shapes=("0/0000000000000",),
    ),
    _token("dropbox-token", "sl.", r"[A-Za-z0-9_-]{60,1400}", check=checks.varied_token),
    _token("typeform-token", "tfp_", r"[A-Za-z0-9_.-]{40,70}"),
    ScrubRule("paypal-token", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", literals=("access_token$",)),
    _token("payment-key", "rzp_live_ rzp_test_ FLWSECK- FLWSECK_TEST- EZAK EZTK pk_prod_ sk_prod_ mollie_live_ live_", r"[A-Za-z0-9_-]{14,60}", check=checks.varied_token),
    _token("mapbox-token", "sk. tk.", r"eyJ[A-Za-z0-9_-]{40,120}\.[A-Za-z0-9_-]{20,30}"),
    _token("1password-token", "ops_", r"eyJ[A-Za-z0-9_=-]{100,2000}"),
    ScrubRule("okta-token", r"(?<![A-Za-z0-9])SSWS[ ]{1,2}(?P<secret>[A-Za-z0-9_-]{42})", literals=("ssws ",), check=checks.token),
    _token("okta-token", "00", r"[A-Za-z0-9_-]{40}", check=checks.varied_token),
    _token("facebook-token", "EAA", r"[A-Za-z0-9]{60,300}", check=checks.varied_token),
    _token("heroku-key", "HRKU-", r"[A-Za-z0-9_-]{36,70}"),
    _token("artifactory-token", "AKC", r"[A-Za-z0-9]{60,80}", check=checks.varied_token),
    _token("neon-key", "napi_", r"[a-z0-9]{40,80}", check=checks.varied_token),
    _token("supabase-token", "sb_secret_", r"[A-Za-z0-9_-]{20,60}"),
    _token("duffel-token", "duffel_test_ duffel_live_", r"[A-Za-z0-9_=-]{43}"),
    _token("adafruit-key", "aio_", r"[A-Za-z0-9]{28}"),
    _token("cloudflare-key", "v1.0-", r"[A-Za-z0-9]{24}-[A-Za-z0-9]{146}"),
    _token("yandex-key", "AQVN t1.", r"(?:[A-Za-z0-9_-]{35,200}|[A-Za-z0-9_=-]{1,80}\.[A-Za-z0-9_-]{60,120}={0,2})", check=checks.varied_token),
    _token("snyk-token", "snyk_uat. snyk_sat.", r"[0-9a-f]{8}\.[A-Za-z0-9_.-]{40,900}"),
    _token("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.", r"[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}"),
    ScrubRule("openshift-token", r"(?<![A-Za-z0-9])sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])", literals=("sha256~",), check=checks.token),
    _token("sonar-token", "squ_ sqp_ sqa_", r"[A-Za-z0-9]{40}"),
    _token("trello-token", "ATTA", r"[0-9a-fA-F]{60,80}"),
    _token("plaid-token", "access-sandbox- access-development- access-production-", r"[A-Za-z0-9-]{36}"),
    _token("launchdarkly-key", "api- sdk-", r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    _token("nuget-key", "oy2", r"[a-z0-9]{43}", check=checks.varied_token),
    ScrubRule("google-oauth", r"(?<![A-Za-z0-9/])[14]/(?:/0|0A)[A-Za-z0-9_-]{40,120}", literals=("1//0", "4/0a"), check=checks.varied_token),
    _token("clojars-token", "CLOJARS_", r"[a-z0-9]{60}"),
    _token("infracost-key", "ico-", r"[A-Za-z0-9]{32}"),
    _token("adobe-secret", "p8e-", r"[A-Za-z0-9_-]{32}"),
    _token("readme-key", "rdme_", r"[a-z0-9]{70}"),
    _token("crates-token", "cio", r"[A-Za-z0-9]{32}", check=checks.varied_token),
    _token("alibaba-key", "LTAI", r"[A-Za-z0-9]{16,24}", check=checks.varied_token),
    _token("tencent-key", "AKID", r"[A-Za-z0-9]{28,36}", check=checks.varied_token),
    _token("amazon-key", "amzn.mws.", r"[0-9a-f-]{36}"),
    _token("payment-key", "APP_USR-", r"\d{10,20}-\d{6}-[0-9a-f]{32}-\d{6,12}"),
    _token("frameio-token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
    _token("defined-key", "dnkey-", r"[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}"),
    _token("scalingo-token", "tk-us-", r"[A-Za-z0-9_-]{48}"),
    _token("shippo-token", "shippo_live_ shippo_test_", r"[A-Za-z0-9]{40}"),
    _token("jfrog-token", "cmVmd", r"[A-Za-z0-9]{56,60}"),
    _token("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", r"[A-Za-z0-9]{24,60}", check=checks.varied_token),
    ScrubRule(
        "webhook",
        r"(?:hooks\.zapier\.com/hooks/catch|webhook\.site|hc-ping\.com|api\.day\.app|sctapi\.ftqq\.com|alert\.victorops\.com|hooks\.airtable\.com|api\.flock\.com/hooks|"
        r"hooks\.glip\.com/webhook|cliq\.zoho\.com/api|alertmanager\.splunk\.com|api\.render\.com/deploy|api\.netlify\.com/build_hooks|api\.vercel\.com/v\d/integrations/deploy|"
        r"cloud\.google\.com/webhook|api\.cronitor\.io|heartbeat\.uptimerobot\.com|uptime\.betterstack\.com/api|push\.statuscake\.com|cronitor\.link|connect\.signl4\.com/webhook|ntfy\.sh|deploy_hooks)(?P<secret>/[^\s\"'`<>)]{10,300})",
        literals=("hooks.zapier.com/", "webhook.site/", "hc-ping.com/", "api.day.app/", "sctapi.ftqq.com/", "alert.victorops.com/", "hooks.airtable.com/", "api.flock.com/", "hooks.glip.com/",
                  "cliq.zoho.com/", "alertmanager.splunk.com/", "api.render.com/deploy", "api.netlify.com/build_hooks", "api.vercel.com/v", "api.cronitor.io/",
                  "heartbeat.uptimerobot.com/", "uptime.betterstack.com/", "push.statuscake.com/", "cronitor.link/", "connect.signl4.com/", "ntfy.sh/", "deploy_hooks/"),
        check=checks.in_short_webhook,
    ),
    ScrubRule(
        "azure-signature",
        r"/api/[\w/-]{1,80}\?(?:[\w=-]{1,40}&)?code=(?P<secret>[A-Za-z0-9_/+%-]{40,100}={0,2})",
        literals=("/api/",),
        check=checks.varied_token,
    ),
    ScrubRule(
        "mailchimp-key",
        r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])",
        literals=("-us",),
        before=32,
        back="0123456789abcdef",
        check=checks.hex_token,
    ),
    ScrubRule(
        "twitch-token",
        r"oauth:(?P<secret>[a-z0-9]{30})(?![A-Za-z0-9])",
        literals=("oauth:",),
        check=checks.token,
    ),
    ScrubRule(
        "aws-session-token",
        r"(?<![A-Za-z0-9+/])(?:FwoGZXIvYXdzE|IQoJb3JpZ2lu)[A-Za-z0-9+/]{100,2000}={0,2}",
        literals=("fwogzxivyxdze", "iqojb3jpz2lu"),
        reach=2100,
    ),
    ScrubRule(
        "firebase-key",
        r"(?<![A-Za-z0-9])AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}",
        literals=(":apa91b",),
        before=11,
        back=ALNUM + "_-",
    ),
    ScrubRule(
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
    ScrubRule(
        "webhook",
        r"(?<![a-z0-9-])(?P<secret>[a-z0-9][a-z0-9-]{11,40})\.(?:m\.pipedream\.net|trayapp\.io)",
        literals=(".m.pipedream.net", ".trayapp.io"),
        before=42,
        back="abcdefghijklmnopqrstuvwxyz0123456789-",
        check=checks.varied_token,
    ),
    ScrubRule(
        "webhook",
        r"/hooks?/(?:catch/|incoming/)?(?P<secret>[A-Za-z0-9]{17,64}(?:/[A-Za-z0-9]{16,80})?)(?![A-Za-z0-9_-])",
        literals=("/hooks/", "/hook/"),
        check=checks.varied_token,
    ),
    ScrubRule(
        "webhook",
        r"/webhooks?(?:[/-][a-z0-9-]{1,20}){0,3}/(?P<secret>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{24,120})(?![A-Za-z0-9_-])",
        literals=("/webhook",),
        check=checks.varied_token,
    ),
    ScrubRule(
        "webhook",
        r"hooks\.zapier\.com/hooks/catch/(?P<secret>\d{4,12}/[A-Za-z0-9]{5,40})",
        literals=("hooks.zapier.com/hooks/catch/",),
    ),
    ScrubRule(
        "twitter-token",
        r"(?<![A-Za-z0-9])A{18,24}[A-Za-z0-9]{2,20}(?:%[0-9A-F]{2}[A-Za-z0-9]{2,80}){1,6}(?![A-Za-z0-9])",
        literals=("aaaaaaaaaaaaaaaaaaaa",),
    ),
    ScrubRule(
        "deepl-key",
        r"(?<![A-Za-z0-9-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:fx(?![A-Za-z0-9])",
        literals=(":fx",),
        before=36,
        back=ALNUM + "-",
    ),
    ScrubRule(
        "mailgun-key",
        r"(?<![A-Za-z0-9_.-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9_-])",
        words=tuple(one + other for one in "0123456789abcdef" for other in "0123456789abcdef"),
        check=checks.hex_token,
    ),
    _token("intra42-secret", "s-s4t2ud- s-s4t2af-", r"[A-Za-z0-9]{64}"),
    _token("octopus-key", "API-", r"[A-Z0-9]{25,26}", check=checks.varied_token),
    _token("prismic-token", "MC5", r"[A-Za-z0-9_-]{40,80}\.[A-Za-z0-9_-]{30,90}"),
    _token("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", r"[A-Za-z0-9]{16}"),
    _token("adyen-key", "AQE", r"[A-Za-z0-9+/=_-]{60,300}", check=checks.varied_token),
    _token("google-hmac-id", "GOOG1E GOOG", r"[A-Z0-9]{18,60}", check=checks.varied_token),
    _token("chromatic-token", "chpt_", r"[0-9a-f]{12,40}"),
    _token("harness-token", "pat. sat.", r"[A-Za-z0-9_-]{20,24}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),
    _token("mandrill-key", "md-", r"[A-Za-z0-9_-]{22}", check=checks.varied_token),
    _token("nightfall-key", "NF-", r"[A-Za-z0-9]{32}", check=checks.varied_token),
    _token("posthog-key", "phs_", r"[A-Za-z0-9]{40,60}"),
    _token("statsig-key", "secret-", r"[A-Za-z0-9]{40,50}", check=checks.varied_token),
    _token("checkly-key", "cu_", r"[0-9a-f]{32}", check=checks.hex_token),
    _token("axiom-token", "xaat- xapt-", r"[A-Za-z0-9-]{36}"),
    _token("polar-token", "polar_pat_ polar_oat_ polar_whs_", r"[A-Za-z0-9_-]{30,80}", check=checks.varied_token),
    _token("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_ pdl_ntfset_", r"[A-Za-z0-9_]{30,90}", check=checks.varied_token),
    _token("cerebras-key", "csk-", r"[a-z0-9]{40,60}", check=checks.varied_token),
    _token("voyage-key", "pa-", r"[A-Za-z0-9_-]{40,50}", check=checks.varied_token),
    _token("e2b-key", "e2b_", r"[A-Za-z0-9]{40}"),
    _token("modal-token", "ak- as-", r"[A-Za-z0-9]{22}", check=checks.varied_token),
    _token("helicone-key", "sk-helicone-", r"[a-z0-9-]{24,60}", check=checks.varied_token),
    _token("aiven-token", "aivenv1", r"[A-Za-z0-9+/=]{40,400}"),
    _token("akamai-token", "akab-", r"[a-z0-9]{16}-[a-z0-9]{16}"),
    _token("scaleway-key", "SCW", r"[A-Z0-9]{17}", check=checks.varied_token),
    _token("posthog-key", "phx_ phc_", r"[A-Za-z0-9]{40,60}"),
    _token("vault-token", "s. b.", r"[A-Za-z0-9]{24}", check=checks.varied_token),
    _token("jwt", "eyJ", r"[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{6,8000}\.[A-Za-z0-9_-]{16,1000}", check=checks.jwt),
)  # fmt: skip

_GAP = r"(?:[ \t]\(?[^\s\"'`=:;,]{1,30}){0,6}?(?:[=:][\"'`]?(?=\d)|[ \t]?===?[ \t]?[\"'`]|(?:[ \t]?[:=：#]|[ \t](?:is|are|ist|lautet|est|es|è|é|jest|är|er|on|was|left|=|-|–)[ \t]?:?|)[\s\"'`(«]{1,4}(?:[-*•][ \t]|\d{1,2}[.)][ \t])?)"
_TIGHT = r"[\"'`]?(?:[ \t]?[:=：#,][\s\"'`(«\[]{0,12}|[ \t\"'`(«]{1,3}|:?\n{1,2}[ \t*-]{0,4}(?:\d{1,2}[.)] )?)"
_CODE = r"(?:(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}|\d{3,5}(?: \d{3,5}){1,5}|(?=[A-Za-z0-9]{0,15}\d)[A-Za-z0-9]{6,20})"
_ANOTHER = r"(?:[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|\d{3,5}(?: \d{3,5}){1,5}|(?=[A-Za-z0-9]{0,15}\d)[A-Za-z0-9]{6,20}|[0-9a-f]{32,64})"
"""Once one was found, the next need no digit."""

_BREAK = r"(?:\r?\n|\\r?\\n|\\n)"
_LISTED = r"(?:[ \t>|]{0,8}\d{1,6}[→\t])?[ \t>|+]{0,8}(?:[-*•][ \t]|\d{1,2}[.)][ \t]{1,3})?"
"""How a line of a listing, a quoted mail or a list begins."""
_NEXT = rf"(?:[ ](?:and|und|et|y|e|en|i|и|och|og|ja|ve|és|a|și)[ ]|{_BREAK}{{1,2}}{_LISTED}|[ \t]{{0,3}}[,;|/][ \t]{{0,3}}|[ \t]{{1,6}}(?:\d{{1,2}}[.)][ \t]{{1,3}})?)"
_LISTED_CODE = r"[\"'`]?(?:\d{4}[ -]\d{4}(?:[ -]\d{4})?|(?-i:[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,3}|[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){1,3}|[a-z0-9]{8,32}|[A-Z0-9]{8,32}|\d{6,12}))[\"'`]?(?![A-Za-z0-9@.-])"
_PIN_WORDS = (
    r"(?<![^\W_])(?:pin(?:[ _-]?(?:codes?|nummer|number|kod(?:en)?|koden))?|puk|otp|mfa code|2fa code|totp code|passcode|one[- ]time (?:password|passcode|code)|(?:sms|unlock|alarm|door|gate|access|entry|"
    r"security|verification|confirmation|login|safe|vault|lock|voicemail|pairing|garage|kod)[ -]?codes?|geheimzahl|(?:tür|alarm|zugangs|zutritts|sicherheits|bestätigungs|einmal|freischalt|entsperr|sperr|schloss|tresor|öffnungs|haus|garagen|tor|geräte|zahlen|keller|schließfach)[ -]?code|"
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
    r"klucz (?:licencyjny|produktu|aktywacyjny)|kod aktywacyjny|licensnyckel|produktnyckel|lisenssinøkkel|licenční klíč|лицензионн\w+ ключ\w*|ключ (?:продукта|лицензии|активации)|许可证密钥|产品密钥|激活码|ライセンスキー|プロダクトキー|시리얼|[/-]ipk|/sn|--?(?:activate|license|register)|<productkey>|licen[cs]e accepted key="
)
_COOKIE = r"[A-Za-z0-9%+/=._~-]{16,600}"

_RECOVERY = ("unseal", "recovery", "backup", "rescue", "restore", "scratch", "emergency", "wiederherstellungs", "notfallcode", "codes de", "code de", "códigos", "código", "codigo", "codici", "codice",
                  "herstelcode", "reservecode", "kody ", "kod ", "återst", "reservkod", "gendannelse", "palautuskoo", "obnovovac", "záložn", "coduri", "cod de", "kurtarma", "yedek", "kódy ", "kód ", "kodovi ", "备用", "备份码", "백업 코드", "код", "Код", "резервн", "Резервн",
                  "恢复", "リカバリーコード", "バックアップコード", "복구 코드")  # fmt: skip

CODES: tuple[ScrubRule, ...] = (
    ScrubRule(
        "recovery-code",
        r"(?<![A-Za-z0-9-])(?:[cbdefghijklnrtuv]{8}-){7}[cbdefghijklnrtuv]{8}(?![A-Za-z0-9-])",
        shapes=("aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa",),
        check=checks.token,
    ),
    ScrubRule(
        "pin",
        rf"{_PIN_WORDS}(?![^\W_]){_GAP}(?P<secret>\d{{4,8}}|\d{{3}}[ -]\d{{3}}|(?=[A-Z]*\d)[A-Z0-9]{{5,8}})(?![A-Za-z0-9_]|[.,:/-]\d)",
        literals=("pin", "puk", "otp", "mfa code", "2fa code", "passcode", "one-time", "one time", "code", "código", "codigo", "codice", "kod ", "portkod", "larmkod",
                  "geheimzahl", "ovikoodi", "sms", "unlock", "alarm", "door", "gate", "access", "entry", "security", "verification", "confirmation", "login", "safe", "lock",
                  "voicemail", "pairing", "garage", "tür", "zugangs", "sicherheits", "bestätigungs", "einmal", "freischalt", "zutritts", "sperrcode", "entsperr", "schloss", "tresor", "öffnungs", "hauscode", "garagen", "torcode", "gerätecode", "zahlencode", "kellercode", "schließfach", "toegangs",
                  "пин", "Пин", "ПИН", "код ", "Код ", "验证码", "暗証番号", "인증번호", "현관", "도어락", "출입", "门禁密码", "开门密码"),
        flags=re.IGNORECASE,
        check=codes.pin,
    ),
    ScrubRule(
        "recovery-code",
        rf"(?:{_RECOVERY_WORDS})\w{{0,3}}(?:,[ \t][^\n:]{{1,40}}(?=:))?(?:{_GAP}|{_TIGHT})(?P<secret>(?:{_CODE}|[0-9a-f]{{32,64}}|(?<=[:\s])[A-Za-z0-9+/]{{44}}|(?-i:[A-Z0-9]{{5}}-[A-Z0-9]{{5}}))(?:(?:[\s\"'`*,;/|\[\]-]{{1,12}}|[ ](?:and|und|et|y|e|en|i|и|och|og|ja|ve|és|a|și)[ ])(?:\d{{1,2}}[.)] )?{_ANOTHER}){{0,24}})(?![A-Za-z0-9])",
        literals=_RECOVERY,
        flags=re.IGNORECASE,
        reach=1800,
        column=Column(rf"(?:{_RECOVERY_WORDS})\w{{0,3}}", codes.recovery_cell),
        check=codes.recovery,
    ),
    ScrubRule(
        "recovery-code",
        rf"(?:{_RECOVERY_WORDS})\w{{0,3}}(?:[ \t][^\n:]{{0,60}})?(?:[ \t]?[:：]|(?=[ \t]*{_BREAK}))[\"'*_ \t]{{0,4}}(?:{_BREAK}|[ \t]){{0,3}}(?P<secret>{_LISTED}{_LISTED_CODE}(?:{_NEXT}{_LISTED_CODE}){{0,24}})(?![A-Za-z0-9])",
        literals=_RECOVERY,
        flags=re.IGNORECASE,
        reach=1800,
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
        "totp-seed",
        r"HOTP(?:/[TE]\d{0,3})?(?:/\d{1,2})?[ \t]{1,4}\S{1,60}[ \t]{1,4}\S{1,40}[ \t]{1,4}(?P<secret>[0-9A-Fa-f]{20,128})(?![0-9A-Za-z])",
        literals=("hotp",),
        check=checks.hex_token,
    ),
    ScrubRule(
        "license-key",
        rf"(?:{_LICENSE_WORDS})\w{{0,3}}(?:{_GAP}|{_TIGHT}|(?<=[>=]))(?P<secret>(?-i:[A-Z0-9]{{4,8}}(?:-[A-Z0-9]{{4,8}}){{2,9}}|(?=[A-Z0-9]{{0,12}}\d)[A-Z0-9]{{10,40}}|[A-Za-z0-9+/=_-]{{60,1000}}+))(?![A-Za-z0-9-])",
        literals=("licen", "lizenz", "lisens", "product", "produkt", "activation", "aktivierung", "registration", "serial", "software", "clé", "cle ", "clave", "código", "chiave", "codice", "chave", "productsleutel",
                  "activeringscode", "klucz", "kod aktyw", "лицензи", "Лицензи", "ключ", "Ключ", "许可证密钥", "产品密钥", "激活码", "ライセンスキー", "プロダクトキー", "시리얼", "/ipk", "-ipk", "<productkey>", "/sn", "-activate", "-license", "-register", "número de", "cd-key", "cd key"),
        flags=re.IGNORECASE,
        check=codes.license_key,
    ),
    ScrubRule(
        "license-key",
        r"[A-Z0-9]{8,12}-eyJsaWNlbnNlSWQi[A-Za-z0-9+/=_-]{40,4000}+",
        literals=("eyjsawnlbnnlswqi",),
        before=14,
        back=ALNUM + "-",
        reach=4200,
    ),
    ScrubRule(
        "license-key",
        r"(?:key|schlüssel|clave|chave|clé|chiave|ключ)(?:[ \t][^\s:=]{1,16}){0,4}?(?:[ \t]?[:=][ \t]?|[ \t](?:is|ist|es|est|é|è)[ \t]|[ \t]|:?\n)[\"'`]?(?P<secret>(?-i:[A-Z0-9]{5}(?:-[A-Z0-9]{5}){2,4}|[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3,7}))(?![A-Za-z0-9-])",
        literals=("key ", "key:", "keys ", "keys:", "key=", "schlüssel", "clave ", "clave:", "chave", "clé ", "chiave ", "ключ ", "ключ:"),
        flags=re.IGNORECASE,
        check=codes.license_key,
    ),
    ScrubRule(
        "session-cookie",
        r"(?:sess(?:ion)?|sid|jsessionid|cookies?|remember|login_?token|auth_?token|xsrf|csrf|identity|\.sid|\.aspxauth|\.aspnet(?:core)?|asp\.net)[A-Za-z0-9_.-]{0,40}"
        rf"(?:=|[ \t]?=>[ \t]?|\\{{0,3}}[\"'][ \t]?[:,][ \t]?\\{{0,3}}[\"']|\\{{0,3}}[\"'],[ \t]?\\{{0,3}}\"value\\{{0,3}}\"[ \t]?:[ \t]?\\{{0,3}}[\"']|\t|:[ \t])\\{{0,3}}[\"']?(?P<secret>{_COOKIE})(?![A-Za-z0-9%+/=._~-])",
        literals=("sess", "sid", "csrf", "xsrf", "cookie", "remember", "login_token", "auth_token", ".aspxauth", ".aspnet", "asp.net"),
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
        r"(?:[\s>|+\"]|\\n|\d{1,6}[→\t])*+(?P<secret>[A-Z2-7]{16,64}(?:(?:\n|\\n)(?:[ \t>|]{0,8}\d{1,6}[→\t])?[ \t>|+]{0,8}\\?\" (?:RATE_LIMIT|WINDOW_SIZE|TOTP_AUTH|DISALLOW_REUSE|HOTP_COUNTER)[^\n\\]{0,40}){1,6}(?:(?:\n|\\n)(?:[ \t>|]{0,8}\d{1,6}[→\t])?[ \t>|+]{0,8}\d{8}(?!\d)){0,12})",
        literals=("rate_limit", "window_size", "totp_auth", "disallow_reuse", "hotp_counter"),
        before=90,
        back="ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789→\t>|+n\\\n\" ",
        reach=600,
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
