"""What a table calls its game: the words of each name the game goes by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Rules, Words
from scorekeeper.rules.layout import Layout

Vocabulary = Mapping[str, str]
"""The table's word for each name that messages use: ``%(Lake)s``, ``%(Pile)s`` ..."""


def _vocabulary(game: str, call: str, pile: str, lake: str, river: str, stream: str) -> Vocabulary:
    """*call* is shouted when the *pile* is gone; each word fits wherever another table's would stand."""
    words = {"Game": game, "Call": call, "Pile": pile, "Lake": lake, "River": river, "Stream": stream}
    return MappingProxyType(words)


LAKE, RIVER, STREAM = mark("Lake"), mark("River"), mark("Stream")
CENTER, TABLEAU, STOCK = mark("Center"), mark("Tableau"), mark("Stock")
MIDDLE, LINE, ROW = mark("Middle"), mark("Line"), mark("Row")

VOCABULARIES: Mapping[Words, Vocabulary] = MappingProxyType(
    {
        Words.NERTZ: _vocabulary(mark("Nertz"), mark("Nertz"), mark("Nertz pile"), LAKE, RIVER, STREAM),
        Words.NERTS: _vocabulary(mark("Nerts"), mark("Nerts"), mark("Nerts pile"), CENTER, TABLEAU, STOCK),
        Words.POUNCE: _vocabulary(mark("Pounce"), mark("Pounce"), mark("Pounce pile"), CENTER, TABLEAU, STOCK),
        Words.RACING_DEMON: _vocabulary(mark("Racing Demon"), mark("Out"), mark("Demon pile"), MIDDLE, LINE, STOCK),
        Words.PEANUTS: _vocabulary(mark("Peanuts"), mark("Peanuts"), mark("Peanuts pile"), MIDDLE, ROW, STOCK),
        Words.NUTS: _vocabulary(mark("Nuts"), mark("Nuts"), mark("Nuts pile"), CENTER, TABLEAU, STOCK),
    }
)
"""In the order they are offered (rules A12)."""

_PILE, _OUT = mark("pile"), mark("Out")
RELATED: Mapping[Layout, Vocabulary] = MappingProxyType(
    {
        Layout.PISHE_PASHA: _vocabulary(mark("Pishe Pasha"), _OUT, _PILE, CENTER, TABLEAU, STOCK),
        Layout.DOUBLE_SOLITAIRE: _vocabulary(mark("Double Solitaire"), _OUT, _PILE, CENTER, TABLEAU, STOCK),
        Layout.CANFIELD: _vocabulary(mark("Canfield"), _OUT, _PILE, CENTER, TABLEAU, STOCK),
    }
)
"""Games that are no Nertz: their rules cards have no words of it (rules J5)."""


def words_of_card(rules: Rules) -> Vocabulary:
    """The words of the rules card: the table's for Nertz and Nuts, plain ones for the other games."""
    return RELATED.get(rules.layout, VOCABULARIES[rules.words])


OTHER_NAMES = (
    "Nertz", "Knertz", "Nerks", "Nirts", "Nerf", "Mertz", "Snerds", "Stits", "Racing Demons", "Racing Canfield", "Nutz",
    "Nutsy", "Kitz Nitz", "Squeal", "Squeak", "Squid", "Squinch", "Scrooge", "Scramble", "Scrub", "Crunch", "Swish",
    "Snatch", "Blitz", "Dutch Blitz", "Double Dutch Bus", "Ligretto", "Gluck", "Dooker", "Popeye", "Grouch", "Hell",
    "Hallelujah", "Hoorah", "Moofles", "Maxcards", "Flip Flip", "Lucky Thirty", "Turkey Stack", "Race Horse Rummy",
    "Solitaire Frenzy", "Lapu-Lapu Dirty Dance", "Wackee Six", "Perpetual Commotion", "Rasender Teufel", "Zankpatience",
)  # fmt: skip
"""What the game, or a boxed game much like it, is called elsewhere (rules A12)."""

ASKED = (
    "what is {}", "how do you play {}", "how to play {}", "{} rules", "rules of {}", "wie spielt man {}", "{} Regeln",
)  # fmt: skip
"""How people ask what game it is."""

PILE = ("reserve", "bone pile", "goal pile", "thirteen pile", "Dreizehner", "Dreizehnerstapel")
"""What the Nertz pile is called besides after the game."""

SAME: tuple[tuple[str, ...], ...] = (
    ("must", "muss", "müssen", "musst", "have to", "has to", "obliged", "Pflicht"),
    ("Lake", "foundation", "common area", "common pile", "centre", "Mitte", "Tischmitte", "Ablage", "Zielstapel"),
    ("River", "work pile", "working pile", "work row", "building pile", "solitaire row", "Reihe", "Hilfsreihe",
     "Auslage"),
    ("Stream", "stock", "waste", "draw pile", "draw stack", "discard pile", "discard", "talon", "Nachziehstapel",
     "Ziehstapel", "Handkarten", "Stoß"),
    ("pile", "Stapel"), ("column", "Spalte"), ("deck", "pack of cards", "Kartenspiel", "Kartensatz"),
    ("joker", "Narr"),
    ("slot", "space", "blank spot", "gap", "hole", "Lücke", "Loch", "freier Platz", "leerer Platz"),
    ("empty", "leer"),
    ("card", "Karte", "Spielkarte"), ("ace", "Ass"), ("queen", "Dame"), ("king", "König"),
    ("colour", "color", "Farbe"), ("point", "Punkt"), ("score", "Wertung", "werten", "Spielstand"),
    ("count", "zählen", "zählt", "gezählt", "auszählen"),
    ("negative", "minus", "below zero", "under zero", "less than zero", "unter null", "Minuspunkt"),
    ("left over", "leftover", "remaining", "übrig", "übrige", "restlich"), ("half", "halb"), ("bonus", "Prämie"),
    ("round", "Runde", "Spielrunde"),
    ("target", "goal", "Ziel", "how do you win", "how does one win", "wie gewinnt man"),
    ("reach", "erreichen"),
    ("win", "won", "winner", "victory", "gewinnen", "gewinnt", "gewonnen", "Gewinner", "Sieg", "siegen"),
    ("lose", "lost", "verlieren", "verliert", "verloren"), ("tie", "Gleichstand", "unentschieden", "remis"),
    ("equal", "level", "same score", "same points", "same number of points", "gleich viele Punkte", "punktgleich"),
    ("tie-breaker", "tie break", "tiebreak", "tiebreaker", "overtime", "Verlängerung", "Stechen", "Entscheidungsrunde"),
    ("same time", "same moment", "simultaneous", "simultaneously", "gleichzeitig", "zugleich", "zur selben Zeit"),
    ("first", "zuerst", "erster"), ("last", "letzte"), ("late", "spät"), ("fast", "quick", "schnell"),
    ("slow", "langsam"), ("call", "shout", "yell", "scream", "Ruf", "rufen", "ruft", "gerufen", "ansagen", "angesagt"),
    ("start", "begin", "began", "begun", "Anfang", "anfangen", "angefangen", "beginnen", "beginnt"),
    ("end", "Ende", "Schluss", "vorbei"), ("stop", "stopp", "anhalten"), ("wait", "warten"),
    ("play", "spielen", "spielt", "gespielt", "legen", "legt", "gelegt", "ablegen", "abgelegt", "put", "place"),
    ("flip", "turn over", "umdrehen", "umgedreht", "umblättern"), ("move", "verschieben", "verschoben"),
    ("face up", "offen", "aufgedeckt"), ("face down", "verdeckt", "zugedeckt"),
    ("under", "underneath", "beneath", "below", "darunter", "drunter", "unter"),
    ("take back", "took back", "taken back", "retract", "zurücknehmen", "zurückgenommen", "nehme zurück"),
    ("hold back", "held back", "keep back", "kept back", "withhold", "withheld", "zurückhalten", "zurückgehalten"),
    ("look", "schauen", "gucken", "angucken", "ansehen", "anschauen", "nachsehen"), ("peek", "spicken", "linsen"),
    ("touch", "anfassen", "angefasst", "berühren", "greifen"), ("opponent", "enemy", "someone else", "Gegner"),
    ("fall", "fell", "fallen", "drop", "gefallen", "fällt", "umgefallen", "heruntergefallen", "runtergefallen"),
    ("floor", "ground", "Boden"), ("missing", "fehlen", "fehlt", "fehlend"), ("wrong", "incorrect", "falsch"),
    ("mistake", "error", "Fehler", "Irrtum", "Versehen", "versehentlich"),
    ("cheat", "mogeln", "gemogelt", "schummeln", "geschummelt", "betrügen", "betrogen", "Betrug"),
    ("penalty", "punish", "punishment", "Strafe", "Strafpunkt", "bestrafen"), ("rule", "Regel"),
    ("dispute", "disagree", "quarrel", "argue", "argument", "can't agree", "don't agree", "Streit", "streiten",
     "uneinig"),
    ("stuck", "blocked", "can't move", "cannot move", "can't play", "cannot play", "no move", "no more moves",
     "feststecken", "nothing to play", "festgefahren", "stecke fest", "blockiert", "kann nicht mehr", "nichts geht",
     "nicht weiter"),
    ("nobody", "no one", "none", "niemand", "keiner"), ("everybody", "everyone", "jeder"),
    ("burn", "burnt", "brennen", "verbrennen", "verbrannt"), ("shuffle", "mischen", "gemischt"),
    ("deal", "dealt", "dealer", "wer gibt", "Geber", "austeilen", "ausgeteilt", "verteilen"),
    ("time out", "timeout", "Auszeit"), ("toilet", "bathroom", "restroom", "loo", "pee", "Klo", "Toilette", "WC"),
    ("watcher", "spectator", "viewer", "onlooker", "Zuschauer"), ("grab", "grabbed", "snatch away", "wegschnappen"),
    ("emergency", "Notfall"), ("team", "Mannschaft"), ("partner", "team mate", "teammate"), ("pair", "Paar"),
    ("join", "mitmachen", "einsteigen"), ("leave", "leaving", "go home", "aussteigen", "weggehen"),
    ("change", "swap", "switch", "wechseln", "tauschen"), ("child", "children", "kid", "Kind", "Kinder"),
    ("beginner", "newbie", "novice", "Anfänger", "Neuling"), ("stand", "stood", "stehen", "aufstehen"),
    ("sit", "sat", "sitzen"), ("talk", "speak", "reden", "sprechen"), ("help", "helfen", "hilft"),
    ("write", "written", "aufschreiben", "notieren"), ("paper", "Papier", "Zettel"),
    ("photo", "photograph", "picture", "Foto", "Bild"), ("different", "verschieden", "unterschiedlich"),
    ("forget", "forgot", "forgotten", "vergessen"), ("keep", "kept"), ("hold", "held", "halten"),
    ("take", "took", "taken"), ("run out", "ran out", "used up", "aufgebraucht"), ("build", "built", "bauen"),
    ("decide", "entscheiden", "bestimmen"),
)  # fmt: skip
"""Words for one thing, in both languages, and forms that no ending tells: a query for one finds the others."""

APART = {
    "player": "person", "players": "person", "Spieler": "person", "Spielern": "person", "lose": "lost", "reden": "talk",
    "Anfänger": "novice", "beginner": "novice", "beginners": "novice", "Fehler": "error",
    "Zahl": "number", "Anzahl": "number", "several": "multiple", "mehrere": "multiple", "mehreren": "multiple",
}  # fmt: skip
"""Words that would fall together with another without their endings, and the word that stands for each."""

IDLE = """
    a about allowed also always am an and any are as at be been but by can could did do does doing for forbidden from
    get had happen happens has have he her hers him his how i if in is it its just legal like may me might my no
    not now of okay ok on or our permitted please possible really s shall she should so somebody someone still t that
    the their them then there these they this those to too us was we were what when where whether which while who whom
    whose why will with would you your aunt boyfriend brother cousin dad daughter friend girlfriend grandad grandma
    grandpa husband mom mum sister son uncle wife ab aber als auch auf aus bei beim bin bist da dabei dann darf darfst
    das dass dein deine dem den denn der des die doch du dürfen ein eine einem einen einer eines er erlaubt es euch
    für gibt habe haben hat hatte ich ihm ihn ihr ihre im ins ist ja jemand jetzt kann kannst können könnte mal man
    mein meine meinem meinen meiner mich mir mit möglich nach nicht noch nun nur ob oder passiert schon
    sein seine sich sie sind soll sollte uns und verboten vom von war waren welche welcher welches wem wenn wer werden
    wie wieder wir wird wo wollen wollte zu zum zur bruder freund freundin mama mutter oma onkel opa papa schwester
    sohn tante tochter vater nephew niece grandson granddaughter neffe nichte enkel enkelin
"""
"""Words that say nothing in a question: small words, and who of the family asks."""


def names_in_index() -> Iterator[tuple[str, str]]:
    """Every phrase that stands for something with several words for it, and what the index calls it."""
    for words in VOCABULARIES.values():
        yield from ((words[role], role.casefold()) for role in ("Lake", "River", "Stream"))
    for name, *others in SAME:
        yield from ((each, re.sub(r"\W", "", name).casefold()) for each in (name, *others))
    for words in VOCABULARIES.values():
        yield from ((f"{say} {words['Call']}", "call") for say in ("say", "said", "Sag", "sagt", "gesagt"))
    for game in (*(words["Game"] for words in VOCABULARIES.values()), *OTHER_NAMES):
        yield game, "nertz"
        if game != "Nuts":
            yield from ((phrase.format(game), "thegame") for phrase in ASKED)
        yield from ((f"{game} {pile}", "nertzpile") for pile in ("pile", "stack", "deck", "card pile", "Stapel"))
    for each in (*(words["Pile"] for words in VOCABULARIES.values()), *PILE):
        yield each, "nertzpile"
