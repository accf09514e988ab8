"""Words that say little about what somebody looks for, in the languages that questions mostly come in."""

from cairn.lib.text.stem import stem

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
