"""Documented forms of keys and tokens: one row each, by the name of the service and a recipe of the form.

A recipe is literal but for what stands in braces: an alphabet of `ALPHABETS`, and how many of it. The tests draw a value
of every recipe that must be found, and one of the same form, made of words, that must not.
"""

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from cairn.lib.scrub import checks
from cairn.lib.scrub.prefixed import prefixed
from cairn.lib.scrub.rule import TOKEN_START, ScrubRule

ALPHABETS = {
    "h": "0-9a-f",
    "H": "0-9A-F",
    "x": "0-9a-fA-F",
    "a": "a-z0-9",
    "U": "A-Z0-9",
    "A": "A-Za-z0-9",
    "w": "A-Za-z0-9_-",
    "v": "A-Za-z0-9_.-",
    "b": "A-Za-z0-9+/_-",
    "l": "a-z",
    "d": "0-9",
    "2": "A-Z2-7",
    "5": "1-9A-HJ-NP-Za-km-z",
}
"""`h` hexadecimal, `w` base64 as addresses have it, `b` either base64, `2` base32, `5` base58."""
_PART = re.compile(r"\{(?:(?P<uuid>uuid)|(?P<alphabet>.)(?P<least>\d+)(?:-(?P<most>\d+))?)\}")

RECIPES = """
1password-key       A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5} A3-{U6}-{U11}-{U5}-{U5}-{U5}
aikido-token        AIK_CI_{A40-80} AIK_SECRET_{A40-80} AIK_RUNTIME_{w40-120}
amazon-key          amzn1.oa2-cs.v1.{h64} Atza|{b40-900} Atzr|{b40-900}
apify-token         apify_api_{A30-46} apify_proxy_{A30-46}
appveyor-token      v2.{a20}
asaas-token         aact_{b80-200} aact_prod_{b60-200} aact_hmlg_{b60-200}
atlassian-token     BBDC-{b44} ATCTT3xFfG{b40-300} ATSTT3xFfG{b40-300}
authress-key        sc_{A5-30}.{A4-6}.acc_{a10-32}.{b30-120} ext_{A5-30}.{A4-6}.acc_{a10-32}.{b30-120}
aws-key             ABSK{b100-280} bedrock-api-key-{b40-2000} da2-{a26}
backblaze-key       K00{d1}{w27}
baidu-key           bce-v3/ALTAK-{A21}/{h40} ALTAK{A21}
bannerbear-key      bb_pr_{h30} bb_ma_{h30}
bitrise-token       bitpat_{w32-80} bitwat_{w32-80}
block-protocol-key  b10ck5.{h32}.{uuid}
blynk-secret        oa2-client-id_{A32}:{A32}
buildkite-token     bkua_{A40} bkaj_{v40-600} bkat_{A40} bkct_{A40} bkpi_{A40} bkps_{A40} bkpt_{A40} bkr_{A40} bkpat_{A40}
canva-secret        cnvca{w40-60}
cashfree-key        cfsk_ma_prod_{h32}_{h8} cfsk_ma_test_{h32}_{h8}
cfxre-key           cfxk_{A20}_{A6}
checkout-key        sk_{uuid} sk_test_{uuid} sk_sbox_{a24-30} sk_live_{uuid}
clickhouse-key      4b1d{A38}
clickup-token       pk_{d6-9}_{U32}
close-key           api_{A22}.{A22}
cloudflare-token    cfk_{A40}{h8} cfut_{A40}{h8} cfat_{A40}{h8}
cloudsmith-key      csa_{A30-44}
cockroach-key       CCDB1_{A22}_{A40}
coveo-key           xx{uuid}
crates-token        cio{A32}
cursor-key          crsr_{h64} key_{h64}
databento-key       db-{A29}
databricks-token    dose{h32} dkea{h32} dsapi{h32}
datadog-token       ddpat_{A30-60} ddsat_{A30-60} ddapp_{A30-60}
datastax-token      AstraCS:{A24}:{h64}
deno-token          ddp_{A36} ddo_{A36} ddw_{A36}
dependency-track    odt_{A32} odt_{A8}_{A32}
devcycle-key        dvc_server_{w32-80} dvc_client_{w32-80} dvc_mobile_{w32-80}
docker-swarm        SWMTKN-1-{a50}-{a25} SWMKEY-1-{b43}
doppler-token       dp.scim.{A40-44} dp.audit.{A40-44} dp.said.{A40-44}
ebay-secret         PRD-{h12}-{h4}-{h4}-{h4}-{h4} SBX-{h12}-{h4}-{h4}-{h4}-{h4}
ecostruxure-key     AK1{A50}
elastic-key         essu_{b40-200}
endorlabs-key       endr+{A16}
exoscale-key        EXO{h24}
expo-token          expo_{w36-48}
facebook-token      EAACEdEose0cBA{A20-300}
fauna-key           fnA{w37}
figma-token         figu_{w38-46} figo_{w38-60} figor_{w38-60} figuh_{w38-60} figp_{w38-60} figs_{w38-60}
flagsmith-key       ser.{A22}
flexport-key        shltm_{w40}
flutterwave-key     FLWSECK-{h32}-X FLWSECK_TEST-{h12} FLWSECK_TEST-{h32}-X
fullstory-key       na1.{w80-120} eu1.{w80-120}
gitlab-token        GR1348941{w20} glrtr-{v27-300} glwt-{w20-60} glffct-{w20} gltok-{w20-60}
gocardless-token    live_{w40} sandbox_{w40}
google-key          AQ.{w46-60}
grafana-token       eyJrIjoi{b60-400}
honeycomb-key       hcaik_01{a56} hcaic_{a58} hcalk_{a58} hcamk_{a58}
hop-token           ptk_{w20-80} bearer_{w30-80}
hubspot-token       pat-na1-{uuid} pat-na2-{uuid} pat-eu1-{uuid} pat-ap1-{uuid}
ibm-key             ApiKey-{uuid}
imagekit-key        private_{b27}=
infisical-token     st.{h24}.{h32}.{h32}
instagram-token     IGQV{w60-300} IGAA{w60-300}
intercom-token      dG9rO{b55}=
ionic-token         ion_{A42}
iterative-token     isat_{A40-60}
klarna-key          klarna_live_api_{b40-300} klarna_test_api_{b40-300}
langchain-key       ls__{h32} lsv2_pt_{h32}_{h10} lsv2_sk_{h32}_{h10}
lark-token          cli_{A16}:{A32} u-{A38-42} t-{a38-42}
lichess-token       lip_{A20} lio_{A20-40}
lightspeed-token    lsxs_pat_{A32}
linkedin-secret     WPL_AP1.{A16}.{A6}==
lob-key             live_{h35} test_{h35}
logicmonitor-token  lmb_{b40-120} lma_{b40-120}
mailersend-token    mlsn.{h64} mssp.{A7}.{A10-20}.{A7}
mailgun-key         pubkey-{h32} key-{h32}
mailtrap-token      mt_{h40}
messagebird-key     live_{A25} test_{A25}
midtrans-key        Mid-server-{w24} SB-Mid-server-{w24}
mongodb-secret      mdb_sa_sk_{w40}
mollie-key          live_{A30} test_{A30}
naver-key           ncp_iam_{A20-60}
newrelic-key        NRAA-{h27} NRIQ-{w32} NRRA-{h42} NRBR-{h19} NRSP-{h20-40} NRAK-{U27} px-dep-{uuid} px-api-{uuid}
npm-token           npm_{A36}
omise-key           skey_{a19} skey_test_{a19} skey_live_{a19}
onesignal-key       os_v2_app_{a103} os_v2_org_{a103}
onfido-token        api_live.{w10-16}.{w30-36} api_sandbox.{w10-16}.{w30-36} api_live_us.{w10-16}.{w30-36} api_live_ca.{w10-16}.{w30-36}
openvsx-token       ovsxat_{uuid}
orbit-token         obu_{A40} obw_{A40}
ory-token           ory_pat_{A32} ory_at_{w43}.{w43} ory_rt_{w43}.{w43} ory_wak_{A32}
packagist-token     packagist_org_{h68} packagist_ora_{h68} packagist_oru_{h68} packagist_uut_{h68} packagist_uua_{h68}
pagerduty-token     pdus+_0XBPWQQ_{uuid} pdeu+_0XBPWQQ_{uuid}
pangea-token        pts_{a32} pti_{a32}
paymongo-key        sk_live_{A24} sk_test_{A24}
paystack-key        sk_live_{h40} sk_test_{h40}
persona-key         persona_production_{uuid} persona_sandbox_{uuid}
pinterest-token     pina_{w60-90} pinr_{w60-90} pinc_{w60-90}
planetscale-token   pscale_app_secret_{w32-43} pscale_otkn_{w32-43}
planning-center     pco_app_{h64} pco_pat_{h64} pco_tok_{h64}
polar-token         polar_at_{w30-80} polar_rt_{w30-80} polar_cst_{w30-80} polar_cs_{w30-80} polar_crt_{w30-80} polar_ci_{w30-80} polar_us_{w30-80}
portainer-token     ptr_{b43}=
posthog-key         phx_{A43-60} phs_{A43-60} phr_{A43-60} pha_{A43-60}
postman-key         PMAT-{U26}
pubnub-key          sec-c-{b48}
pushbullet-token    o.{A32}
ramp-secret         ramp_sec_{A48} ramp_tok_{A48} ramp_business_tok_{A40-60}
raycast-token       rca_{h64} rct_{h64}
render-key          rnd_{A28-40}
robinhood-key       rh-api-{uuid}
rootly-key          rootly_{h64}
runpod-key          rpa_{U46} rpa_{A46}
salad-key           salad_cloud_{w4-40}_{A20-60}
salesforce-token    00D{A12}!{v60-130} 3MVG9{v70-110} 5Aep861{v70-110}
samsara-token       samsara_api_{A30}
sanity-token        sk{A140-200}
sendbird-token      sbu_{h40}
sentry-token        sntryi_{h64} sntrya_{h64} sntryu_{h64}
shopify-token       shptka_{h32} shpua_{h32} shpgt_{h32} shprt_{h32} prtapi_{h32} atkn_{h64}
slack-token         xwfp-{A10-40}-{A20-80} xapp-{d1}-{U9-12}-{d10-14}-{h64}
smooch-token        act_{h24}
sonar-token         sqco_{A59} squ_{h40}
stackhawk-key       hawk.{A20}.{A20}
stripe-key          ek_live_{A20-120} ek_test_{A20-120} pi_{A24}_secret_{A25} seti_{A24}_secret_{A25}
stytch-secret       secret-live-{w36}= secret-test-{w36}=
sumup-key           sup_sk_{A32}
supabase-token      sbp_oauth_{h40} sbp_v0_{h40} sb_temp_{w40}
tailscale-key       tskey-webhook-{A8-32}-{A16-64} tskey-scim-{A8-32}-{A16-64} tskey-{A12-32}-{A16-64}
teamcity-token      eyJ0eXAiOiAiVENWMiJ9.{w30-60}.{b30-60}
teamwork-token      tkn.v1_{b70-100}
telnyx-key          KEY{H32}_{A22}
thunderstore-token  tss_{A30-60}
ticket-tailor-key   sk_{d4}_{d6}_{h32}
trufflehog-key      thog-key-{h16} thog-secret-{h32}
typesense-key       ts_{A32}
ubidots-token       BBFF-{A30} BBUS-{A30}
unkey-key           unkey_{522-40}
upcloud-token       ucat_{U26}
uptimerobot-key     u1{d5-7}-{h24} m7{d5-9}-{h24} u2{d5-7}-{h24} u3{d5-7}-{h24} u4{d5-7}-{h24} u5{d5-7}-{h24} u6{d5-7}-{h24} u7{d5-7}-{h24} u8{d5-7}-{h24} u9{d5-7}-{h24}
val-town-token      vtwn_{A24-60}
vercel-token        vercel_blob_rw_{A16}_{A30}
voiceflow-key       VF.DM.{h24}.{A16} VF.WS.{h24}.{A16}
volcengine-key      AKLT{A40-60}
wakatime-token      waka_{uuid} waka_sec_{A80} waka_tok_{A80} waka_ref_{A80}
wandb-key           wandb_v1_{w40-100}
woocommerce-key     ck_{h40} cs_{h40}
workday-token       wd_pat_{A40}
xendit-key          xnd_production_{A40-90} xnd_development_{A40-90}
yandex-token        YCAJE{w20} y0_{w52-60} y0__{w52-60} YCA{w36-40} YCN{w36-40} YCP{w36-40}
zenhub-key          zh_{h64}
zoho-token          1000.{h32}.{h32}
zuplo-key           zpka_{h32}_{h8}
"""


def recipes() -> Iterator[tuple[str, str]]:
    """Names and recipes."""
    for line in RECIPES.strip().splitlines():
        name, *forms = line.split()
        yield from ((name, form) for form in forms)


_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_WORD_SIGNS = "_-."
LONG = 15
"""As in `find`."""


def pattern_of_recipe(recipe: str) -> str:
    pieces, at = [], 0
    for part in _PART.finditer(recipe):
        pieces.append(re.escape(recipe[at : part.start()]))
        most = f",{part['most']}" if part["most"] else ""
        pieces.append(_UUID if part["uuid"] else f"[{ALPHABETS[part['alphabet']]}]{{{part['least']}{most}}}")
        at = part.end()
    return "".join((*pieces, re.escape(recipe[at:])))


def head_of_recipe(recipe: str) -> str:
    """What it begins with, whatever is drawn."""
    return recipe.partition("{")[0]


def _stands_in_a_word(recipe: str) -> bool:
    """Whether no sign can end the word (`find.Views.long_words`) before it is long."""
    head = head_of_recipe(recipe)
    first = recipe.find("{b")
    others = len(_PART.sub(lambda part: "a" * int(part["least"] or 36), recipe[:first])) >= LONG if first >= 0 else True
    return all(char.isalnum() or char in _WORD_SIGNS for char in head) and others and "|" not in recipe[:24]


def _form(name: str, forms: list[str]) -> Iterator[ScrubRule]:
    """Long words are looked up by how they begin; what has other signs in it is sought."""
    for in_word in (True, False):
        mine = [form for form in forms if _stands_in_a_word(form) == in_word]
        heads = tuple(dict.fromkeys(map(head_of_recipe, mine)))
        body = "|".join(map(pattern_of_recipe, sorted(mine, key=len, reverse=True)))
        pattern = rf"{TOKEN_START}(?:{body})(?![A-Za-z0-9])"
        if mine and in_word:
            yield ScrubRule(name, pattern, words=heads, check=checks.varied_token)
        elif mine:
            lowered = tuple(dict.fromkeys(map(str.lower, heads)))
            yield ScrubRule(name, pattern, literals=lowered, reach=2100, check=checks.varied_token)


def _by_name() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, recipe in recipes():
        found.setdefault(name, []).append(recipe)
    return found


FORMS: tuple[ScrubRule, ...] = tuple(rule for name, forms in _by_name().items() for rule in _form(name, forms))

_B64 = "A-Za-z0-9+/"


def _signed(name: str, mark: str, pattern: str, before: int, back: str) -> ScrubRule:
    """One that shows by a mark in its middle or at its end whose it is."""
    edges = rf"(?<![{_B64}]){pattern}(?![{_B64}=])"
    marks = tuple(one.lower() for one in mark.split())
    return ScrubRule(name, edges, literals=marks, before=before, back=back, check=checks.token)


_ALNUM = ascii_letters + digits
MARKED: tuple[ScrubRule, ...] = (
    _signed("azure-key", "apim acdb +aba +amc +ast", rf"[{_B64}]{{76}}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[{_B64}]{{5}}[AQgw]==", 80, f"{_ALNUM}+/"),
    _signed("azure-key", "aiot +asb +aeh +arm azca azeg", rf"[{_B64}]{{33}}(?:AIoT|\+(?:ASb|AEh|ARm)|AZEG|AzCa)[{_B64}]{{5,6}}=", 40, f"{_ALNUM}+/"),
    _signed("azure-key", "azse azfu +acr", rf"[{_B64}_-]{{42,44}}(?:AzSe|AzFu|\+ACR)[{_B64}_-]{{4,7}}={{0,2}}", 60, f"{_ALNUM}+/_-"),
    _signed("azure-key", "jqqj99", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?:[A-Za-z0-9]{2}==)?", 52, _ALNUM),
    _signed("azure-devops-token", "azdo", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", 76, _ALNUM),
    _signed("newrelic-key", "nral", r"[A-Za-z0-9]{36}NRAL", 36, _ALNUM),
    _signed("maxmind-key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", 40, _ALNUM + "_"),
    _signed("tableau-token", "==:", r"[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}", 24, f"{_ALNUM}+/"),
    _signed("dropbox-token", "aaaaaaaaaa", r"[A-Za-z0-9_-]{11}A{10}[A-Za-z0-9_-]{43}", 12, _ALNUM + "_-"),
    ScrubRule(
        "facebook-token",
        r"(?<![A-Za-z0-9+/|])[1-9]\d{14,16}\|[A-Za-z0-9_-]{27}(?![A-Za-z0-9_|-])",
        shapes=("0000000000|A", "0000000000|a", "0000000000|0"),
        before=7,
        back=digits,
        check=checks.varied_token,
    ),
    ScrubRule(
        "private-key",
        rf"(?<![{_B64}])(?:MII[A-Za-z0-9+/]{{3}}IBA(?:AKCA[A-Za-z]|AKBg|DANBg)|MHcCAQEE|MIGkAgEBBD|MIHcAgEBBE|MIG[HET][A-Za-z0-9]AgEA|MC4CAQAw|MIGHAgEA)"
        rf"[{_B64}]{{30,6000}}={{0,2}}",
        literals=("ibaakca", "ibaakbg", "ibadanbg", "mhccaqee", "migkagebb", "mihcagebb", "mighagea", "mc4caqaw"),
        before=10,
        back=f"{_ALNUM}+/",
        reach=6100,
    ),
    ScrubRule("bearer-token", r"secret-token:[A-Za-z0-9%._~:@!$&'()*+,;=/-]{16,400}", literals=("secret-token:",), check=checks.varied_token),
    ScrubRule("paseto", r"(?<![A-Za-z0-9])v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,4000}(?:\.[A-Za-z0-9_-]{2,400})?", words=("v1.", "v2.", "v3.", "v4."), check=checks.token),
    ScrubRule("bitwarden-token", rf"(?<![A-Za-z0-9])0\.{_UUID}\.[A-Za-z0-9]{{30}}:[{_B64}]{{22}}==", words=("0.",)),
    ScrubRule("rancher-token", r"(?<![A-Za-z0-9])token-[a-z0-9]{5}:[a-z0-9]{54}(?![a-z0-9])", literals=("token-",)),
    ScrubRule("k3s-token", r"(?<![A-Za-z0-9])K10[0-9a-f]{64}::[a-z0-9:._-]{10,120}", words=("K10",)),
    ScrubRule("xprv", r"(?<![A-Za-z0-9])[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107,108}(?![A-Za-z0-9])", words=("xprv", "yprv", "zprv", "tprv"), replacement="[REDACTED:wallet-key]"),
)  # fmt: skip
"""`+ASt` and its like stand in keys that Azure made to be found."""

PREFIXED: tuple[ScrubRule, ...] = (
    ScrubRule(
        "token",
        r"(?:(?<![A-Za-z0-9_.+/%\\-])(?<!(?i:sha256|sha512|sha384):)(?<!(?i:sha1):)(?<!(?i:md5):)|(?<=\\[nrt])|(?<=%3[ADad]))(?:[A-Za-z]{1,14}\d{0,3}[_.-]{1,2}){1,4}[A-Za-z0-9_.-]{19,300}[A-Za-z0-9_-]={0,2}"
        r"(?!\.?[A-Za-z0-9_+/=%-])",
        words=("*",),
        check=prefixed,
    ),
)
"""Comes last: whatever has a name keeps it."""
