"""What the guide says before a hand is played: the table, the decks, the deal."""

from __future__ import annotations

from scorekeeper.guide.entry import OTHERWISE, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Deal
from scorekeeper.rules.layout import Layout

TOPICS = (
    Topic(
        "setting-up",
        mark("Before the game"),
        (
            Entry(
                "players",
                ("A1", "K1"),
                mark("How many can play?"),
                mark(
                    "Two sides or more; there is no upper limit. Beyond eight the %(Lake)s gets hard to reach from "
                    "everywhere, so a larger table helps, or two tables."
                ),
                search="number crowd people two ten group minimum maximum anzahl spielerzahl gruppe personen",
            ),
            Entry(
                "sides",
                ("A2", "A3", "A4"),
                mark("What is a side?"),
                mark(
                    "One player, or one team of two or three. A side owns one deck, has one %(Pile)s and gets one "
                    "score. Singles and teams may sit at one table, and when the number is odd somebody plays alone "
                    "against the teams."
                ),
                search="team partner doubles singles odd player alone einzel doppel allein ungerade",
            ),
            Entry(
                "backs",
                ("A6", "A7"),
                mark("Why must every deck look different?"),
                mark(
                    "After a hand the cards of all sides lie mixed in the %(Lake)s. Only the back tells whose card it "
                    "is, for the score and for giving it back. If two backs are hard to tell apart in the light of the "
                    "evening, change one before you start."
                ),
                search="back design same colour identical pattern rückseite muster gleich farbe",
            ),
            Entry(
                "deck",
                ("A8", "A9"),
                mark("Which cards belong to a deck?"),
                mark(
                    "The usual 52: ace, two, and so on up to the king, in four suits. The ace is always low. Count a "
                    "deck that has been on many tables before the first hand."
                ),
                house=(
                    AtThisTable(
                        "jokers",
                        {
                            0: mark("there are no jokers: take them out."),
                            1: mark("each deck has one joker as well, %(deck_size)s cards together."),
                            OTHERWISE: mark("each deck has %(jokers)s jokers as well, %(deck_size)s cards together."),
                        },
                        mark("Jokers"),
                    ),
                ),
                search="52 pack joker ace king suit rank order ass könig farbe rang blatt",
            ),
            Entry(
                "agree",
                ("A11", "H7"),
                mark("Who decides which rules we play?"),
                mark(
                    "The table, before the first hand. Read the rules card together and say what you do differently. "
                    "In the middle of a game rules change only if everybody agrees, and from the next hand on. What "
                    "the table has agreed beats every book."
                ),
                search="house rules confirm change sheet variant hausregeln vereinbaren ändern",
            ),
            Entry(
                "scorekeeper",
                ("A10",),
                mark("What does the scorekeeper do?"),
                mark(
                    "One person enters the numbers and confirms each hand; that may be a player. Everybody else "
                    "watches the board on a phone and speaks up when a number is wrong. A hand can be corrected later, "
                    "with the reason beside it."
                ),
                search="role who writes pin keep score anschreiben rolle",
            ),
            Entry(
                "seats",
                ("A13",),
                mark("Who sits where?"),
                mark(
                    "Everybody should reach the %(Lake)s equally well. Long arms are no rule: who sits badly may ask "
                    "for a change between two hands."
                ),
                house=(
                    AtThisTable(
                        "rotate_seats",
                        {
                            True: mark("everybody moves on by one seat after each hand."),
                            False: mark("everybody keeps the seat unless somebody asks."),
                        },
                        mark("Seats"),
                    ),
                ),
                search="seat reach rotate table place sitzplatz reichweite tauschen",
            ),
            Entry(
                "standing",
                ("A14",),
                mark("May I stand up, or talk to my partner?"),
                mark(
                    "Both. Standing is allowed as long as you block nobody's way to the %(Lake)s, and partners may "
                    "tell each other whatever they see."
                ),
                search="stand talk communicate speak help tell stehen reden sprechen helfen",
            ),
            Entry(
                "names",
                ("A12",),
                mark("Why does my family call this game something else?"),
                mark(
                    "It goes by dozens of names: Nertz, Nerts, Pounce, Racing Demon, Peanuts, Nuts and more, each with "
                    "its own word for the call and the piles. Whoever starts a game here chooses the words, and every "
                    "page uses them."
                ),
                search="squeal hell scrooge vocabulary word other name ligretto dutch blitz wort namen",
            ),
        ),
    ),
    Topic(
        "dealing",
        mark("Dealing and starting"),
        (
            Entry(
                "layout",
                ("B1", "B2", "B3", "B4", "K13", "K15"),
                mark("How are my cards laid out?"),
                mark(
                    "Three things lie before each side: the %(Pile)s, which you want to be rid of; beside it the "
                    "%(River)s, single cards face up in a row; and the rest of the deck, face down, the %(Stream)s."
                ),
                house=(
                    AtThisTable(
                        "layout",
                        {
                            Layout.NERTZ: mark(
                                "%(pile_size)s cards in the %(Pile)s, %(river)s in the %(River)s, and "
                                "the other %(stream)s in the %(Stream)s."
                            ),
                            Layout.NUTS: mark(
                                "%(pile_size)s cards in the %(Pile)s, %(table_cards)s in %(river)s columns of the "
                                "%(River)s (%(columns)s, the top card of each face up), and the other %(stream)s in "
                                "the %(Stream)s."
                            ),
                            Layout.PISHE_PASHA: mark("%(pile_size)s cards for each player, face down."),
                            Layout.DOUBLE_SOLITAIRE: mark(
                                "%(foundation)s foundation cards face up in the middle, and %(pile_size)s cards for "
                                "each player."
                            ),
                            Layout.CANFIELD: mark(
                                "%(pile_size)s cards face up in one pile, %(foundation)s foundation card, %(river)s "
                                "piles of one card, and the other %(stream)s in the stock."
                            ),
                        },
                        mark("Layout"),
                    ),
                ),
                search=(
                    "setup deal thirteen eleven five columns four size 13 35 how many cards aufbau geben auslegen "
                    "dreizehn spalten wie viele karten"
                ),
            ),
            Entry(
                "deal-order",
                ("B7", "K5"),
                mark("Do I deal the %(River)s or the %(Pile)s first?"),
                mark(
                    "Either. Books disagree, and after a good shuffle it makes no difference. Only count the %(Pile)s "
                    "aloud, so that nobody starts with a card too many."
                ),
                search="order first deal geben reihenfolge zuerst",
            ),
            Entry(
                "pile-face",
                ("B5",),
                mark("Does the %(Pile)s lie face up or face down?"),
                mark("Its top card is always open to be played. When it is gone you turn the next one at once."),
                house=(
                    AtThisTable(
                        "deal",
                        {
                            Deal.FACE_DOWN: mark("the pile lies face down, and only its top card is turned up."),
                            Deal.FACE_UP: mark(
                                "the whole pile is dealt face up and squared, so that only the top card shows."
                            ),
                        },
                        mark("%(Pile)s"),
                    ),
                ),
                search="turn up hidden visible aufdecken verdeckt offen",
            ),
            Entry(
                "shuffle",
                ("B8",),
                mark("How well must I shuffle?"),
                mark(
                    "Well enough that the runs of the last hand are gone: cards come back from the %(Lake)s in order, "
                    "and an unshuffled deck is an advantage."
                ),
                house=(
                    AtThisTable(
                        "cuts",
                        {
                            0: mark("shuffle at least %(shuffles)s×."),
                            OTHERWISE: mark("shuffle at least %(shuffles)s×, then cut at least %(cuts)s×."),
                        },
                        mark("Shuffling"),
                    ),
                    AtThisTable(
                        "round_robin",
                        {True: mark("you pass your deck on, and your neighbour shuffles it.")},
                        mark("Shuffling"),
                    ),
                ),
                search="mix cut riffle neighbour mischen abheben nachbar",
            ),
            Entry(
                "go",
                ("B9",),
                mark("When does a hand begin?"),
                mark(
                    "When every side has said that it is ready and one person, always the same for that hand, calls "
                    "Go. A card played before Go goes back."
                ),
                search="ready start early false start los bereit anfang fehlstart",
            ),
            Entry(
                "before-go",
                ("B10",),
                mark("What may I do before Go?"),
                mark(
                    "Look at everything that lies face up, yours and the others', and put your own %(River)s in "
                    "another order. You may not look at face-down cards, and you may not hide your cards from the "
                    "others."
                ),
                search="peek look rearrange shield hide observe schauen verdecken verstecken umordnen",
            ),
            Entry(
                "holding",
                ("B12",),
                mark("May I hold my piles in my hand?"),
                mark(
                    "Yes, before and during play, as long as everybody can see the top card and roughly how many cards "
                    "are left."
                ),
                search="hold hand lift pick up visible halten hochnehmen sichtbar",
            ),
        ),
    ),
)
