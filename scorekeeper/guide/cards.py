"""What the guide says while cards are played."""

from __future__ import annotations

from scorekeeper.guide.entry import OTHERWISE, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import EmptySlot, Finished, HandsUsed, Simultaneous, StuckTable

TOPICS = (
    Topic(
        "playing",
        mark("Into the %(Lake)s"),
        (
            Entry(
                "available",
                ("E1", "K17"),
                mark("Which of my cards may I play?"),
                mark(
                    "The top card of your %(Pile)s, the top card of what you have turned from your %(Stream)s, and the "
                    "front card of each column of your %(River)s. Each of them may go to the %(Lake)s or onto your "
                    "%(River)s."
                ),
                house=(AtThisTable("", {OTHERWISE: mark("that makes %(available)s cards at a time.")}),),
                search="six seven available legal move top card sechs sieben spielbar erlaubt",
            ),
            Entry(
                "lake",
                ("E2", "A9", "K14"),
                mark("How is the %(Lake)s built?"),
                mark(
                    "An ace starts a pile; on it goes the two of the same suit, then the three, and so on without a "
                    "gap up to the king. Every side may play on every pile. Piles only ever grow upwards."
                ),
                search="foundation up ascending suit ace start sequence aufwärts farbe ass ablegen folge",
            ),
            Entry(
                "finished",
                ("E3", "K9"),
                mark("What happens to a full pile, ace to king?"),
                mark(
                    "Whoever plays the king marks the pile as finished. Nobody plays on it any more, and its cards "
                    "still count."
                ),
                house=(
                    AtThisTable(
                        "finished",
                        {
                            Finished.TURNED: mark("the king is turned face down, and the pile stays where it is."),
                            Finished.ASIDE: mark(
                                "the pile is moved aside; put it back for the photo, or type how "
                                "many piles are finished."
                            ),
                        },
                        mark("Full pile"),
                    ),
                ),
                search="king dead pile complete closed könig tot fertig komplett umdrehen",
            ),
            Entry(
                "withholding",
                ("E5", "K6"),
                mark("May I hold back an ace or a card that fits?"),
                mark(
                    "Books disagree: some want every ace and every playable card of the %(Pile)s played as soon as it "
                    "is seen, others never force anybody."
                ),
                house=(
                    AtThisTable(
                        "withholding",
                        {
                            False: mark("aces and playable cards of the %(Pile)s may not be held back."),
                            True: mark("nobody is ever forced to play a card."),
                        },
                        mark("Holding back"),
                    ),
                ),
                search="withhold keep forced must play ace block zwang muss spielen zurückhalten ass",
            ),
            Entry(
                "stacking",
                ("E6",),
                mark("May I put several cards into the %(Lake)s at once?"),
                mark(
                    "One after the other is the rule, so that others get their chance in between. Some tables let you "
                    "put down a run you hold as one move, never more cards than are available."
                ),
                house=(
                    AtThisTable(
                        "stacking",
                        {
                            False: mark("cards go to the %(Lake)s one at a time."),
                            True: mark(
                                "a run of up to %(available)s cards, as many as are available, may go down at once, as "
                                "everybody agreed."
                            ),
                        },
                        mark("Several at once"),
                    ),
                ),
                search="stack multiple run together group mehrere folge zusammen stapeln",
            ),
            Entry(
                "others-cards",
                ("E10",),
                mark("May I touch the cards of others?"),
                mark(
                    "No. Nobody plays on, moves or straightens another side's %(River)s, %(Stream)s or %(Pile)s. The "
                    "only common ground is the %(Lake)s."
                ),
                search="touch opponent foreign berühren gegner fremde",
            ),
            Entry(
                "retract",
                ("E12", "E13"),
                mark("May I take a card back?"),
                mark(
                    "As long as your fingers are on it, yes. Once you have let go, a card in the %(Lake)s stays, "
                    "unless somebody was faster or it does not belong there."
                ),
                search="undo retract let go release change mind zurücknehmen loslassen",
            ),
            Entry(
                "simultaneous",
                ("E14", "K12"),
                mark("Two of us play the same card at the same moment. Whose counts?"),
                mark("The card that lies lower was first and stays. The other goes back to where it came from."),
                house=(
                    AtThisTable(
                        "simultaneous",
                        {
                            Simultaneous.FIRST_STAYS: mark(
                                "only the first card stays; if nobody can tell, the table decides."
                            ),
                            Simultaneous.BOTH_STAY: mark(
                                "both stay when it is a clear tie. The pile then holds one "
                                "card more than its top says: enter it as a duplicate."
                            ),
                        },
                        mark("At the same moment"),
                    ),
                ),
                search="tie same time race collision duplicate faster gleichzeitig schneller doppelt",
            ),
            Entry(
                "misplaced",
                ("E15",),
                mark("A card lies on a pile where it does not belong. What now?"),
                mark(
                    "It goes back to its owner, together with every card that was played on it since. If it is found "
                    "only when counting, take those cards out of the %(Lake)s and do not count them."
                ),
                search="wrong mistake error suit illegal falsch fehler irrtum",
            ),
            Entry(
                "hands",
                ("E11", "K10"),
                mark("May I play with both hands?"),
                mark("Customs differ: one hand only, one hand while the other holds the %(Stream)s, or both."),
                house=(
                    AtThisTable(
                        "hands",
                        {
                            HandsUsed.BOTH: mark("both hands may play."),
                            HandsUsed.ONE: mark("only one hand may touch cards."),
                            HandsUsed.OTHER_HOLDS: mark("one hand plays, and the other may only hold the %(Stream)s."),
                        },
                        mark("One hand or both"),
                    ),
                ),
                search="hand one both left right hände einhändig beidhändig links rechts",
            ),
            Entry(
                "reversing",
                ("E4",),
                mark("Can a %(Lake)s pile change its direction?"),
                mark(
                    "Not in the usual game. A variant names cards that turn a pile round, so that it goes down from "
                    "there."
                ),
                house=(
                    AtThisTable(
                        "reversing",
                        {
                            False: mark("piles only go up."),
                            True: mark(
                                "some cards turn a pile round. The top card then says nothing about the "
                                "height of its pile: count by the backs alone."
                            ),
                        },
                        mark("Direction"),
                    ),
                ),
                search="reverse power card direction descend richtung umkehren abwärts sonderkarte",
            ),
        ),
    ),
    Topic(
        "own-cards",
        mark("Your own cards"),
        (
            Entry(
                "river",
                ("E7", "K16"),
                mark("How do I build on my %(River)s?"),
                mark(
                    "Downwards and in changing colours: a black six on a red seven, a red five on that, down to the "
                    "two. A whole column, or its front part, may move onto another as one unit if it fits."
                ),
                search=(
                    "work pile down descending alternate colour red black column move unit abwärts rot schwarz spalte "
                    "verschieben"
                ),
            ),
            Entry(
                "empty-slot",
                ("E8", "K7"),
                mark("What goes into an empty slot of the %(River)s?"),
                mark("A single card, or a column that you move there. Where the card must come from is a house rule."),
                house=(
                    AtThisTable(
                        "empty_slot",
                        {
                            EmptySlot.ANY: mark(
                                "an empty %(River)s slot may be filled with any card you may play, "
                                "and it may stay empty."
                            ),
                            EmptySlot.NERTZ: mark("an empty %(River)s slot must be filled from the %(Pile)s."),
                        },
                        mark("Empty slot"),
                    ),
                ),
                search="gap space hole fill vacant free column lücke leer füllen frei",
            ),
            Entry(
                "slide-under",
                ("E9",),
                mark("May I slide a card under a column?"),
                mark(
                    "Only while one of your slots is open: then it is the same as laying the card there and moving the "
                    "column onto it. Moving columns about to free a slot is allowed as well."
                ),
                search="slide under transfer method strategic play insert unterschieben darunter einschieben",
            ),
            Entry(
                "flip",
                ("B6",),
                mark("How many cards of the %(Stream)s do I turn at a time?"),
                mark(
                    "As a group, keeping their order; only the top one may be played, then the one beneath it. If "
                    "fewer are left at the end, turn those."
                ),
                house=(
                    AtThisTable(
                        "flip",
                        {
                            1: mark("cards of the %(Stream)s are turned one at a time."),
                            OTHERWISE: mark("%(flip)s cards of the %(Stream)s are turned at a time."),
                        },
                        mark("Turning"),
                    ),
                ),
                search="three one draw turn flip waste stock drei eine aufdecken umdrehen ziehen",
            ),
            Entry(
                "stream-end",
                ("E18",),
                mark("My %(Stream)s is used up. What now?"),
                mark(
                    "Turn the whole waste over and start again at once, as often as you like. Its order stays as it "
                    "is: no shuffling, no cutting."
                ),
                search="run out recycle again waste order shuffle durchspielen wieder reihenfolge mischen ende leer",
            ),
            Entry(
                "peeking",
                ("E18", "B10"),
                mark("May I look at cards that are covered?"),
                mark(
                    "No. Face-down cards stay unseen, and in a group turned from the %(Stream)s you may not lift the "
                    "top card to see what comes next. You may not put a turned group back either."
                ),
                search="peek look under blocked cheat spicken schauen anheben mogeln",
            ),
            Entry(
                "both-ends",
                ("E17",),
                mark("May I play from the back end of a column?"),
                mark(
                    "Usually not: only the front card is open. In a variant the card at the far end of a column, or at "
                    "the bottom of the turned %(Stream)s, may be played too."
                ),
                house=(
                    AtThisTable(
                        "both_ends",
                        {
                            False: mark("only the front card may be played."),
                            True: mark("%(Stream)s and %(River)s may be played from both ends."),
                        },
                        mark("Both ends"),
                    ),
                ),
                search="bottom both ends variant unten hinten beide enden",
            ),
        ),
    ),
    Topic(
        "stuck",
        mark("When nothing goes"),
        (
            Entry(
                "stuck-alone",
                ("F1", "F6", "F7"),
                mark("I can't play anything. What may I do?"),
                mark(
                    "Keep turning your %(Stream)s: what the others play may open a place for you. As long as anybody "
                    "else can play you wait; you never change your cards on your own."
                ),
                house=(
                    AtThisTable(
                        "stuck",
                        {
                            StuckTable.NEW_STOCK: mark(
                                "a player stuck alone may put the top card of the %(Stream)s "
                                "to the bottom while waiting."
                            )
                        },
                    ),
                ),
                search="stuck blocked no move wait alone idle festgefahren feststecken warten nichts",
            ),
            Entry(
                "stuck-all",
                ("F1", "F2", "F3", "F5", "F6", "F7", "K11"),
                mark("Nobody can play any more. How does it go on?"),
                mark(
                    "Say so aloud and make sure that it is true for every side: with few sides it happens more often. "
                    "Then all do the same thing at the same time."
                ),
                house=(
                    AtThisTable(
                        "stuck",
                        {
                            StuckTable.NATIONAL: mark(
                                "every side goes through its %(Stream)s twice; if nobody "
                                "could play, all burn the top card of the %(Stream)s "
                                "together. After three such burns without a play, all burn "
                                "the top card of the %(Pile)s. Any play starts the count "
                                "anew."
                            ),
                            StuckTable.NEW_STOCK: mark(
                                "all put turned and unturned cards of the %(Stream)s "
                                "together as a new one, and turn on from there."
                            ),
                            StuckTable.TOP_TO_BOTTOM: mark(
                                "all move the top card of their %(Stream)s to the bottom and turn on."
                            ),
                        },
                        mark("Stuck table"),
                    ),
                ),
                search=(
                    "idle game burn deadlock all stuck cycle twice procedure patt blockiert alle stillstand verbrennen "
                    "brennen"
                ),
            ),
            Entry(
                "burn",
                ("F3", "F4"),
                mark("How is a card burned?"),
                mark(
                    "First every side makes its %(Stream)s one face-down pile. On a word all move the top card to the "
                    "bottom at the same moment. Nobody burns alone, and nobody burns later."
                ),
                search="burn stream top bottom together simultaneous brennen gleichzeitig unterste",
            ),
            Entry(
                "nertz-burn",
                ("F5",),
                mark("When may a card of the %(Pile)s be burned?"),
                mark(
                    "Only in the procedure with burns, and only after three %(Stream)s burns in a row without any play "
                    "at the table. All sides do it together: the top card goes under the pile, and the next is turned."
                ),
                house=(
                    AtThisTable(
                        "stuck",
                        {
                            StuckTable.NATIONAL: mark("that is the rule."),
                            OTHERWISE: mark("cards of the %(Pile)s are never burned."),
                        },
                    ),
                ),
                search="burn three pile reset count drei zählen brennen",
            ),
            Entry(
                "dead-hand",
                ("F8", "C19"),
                mark("May a hand end without a call?"),
                mark(
                    "Yes. If the table stays stuck and everybody agrees, the hand is over. It is counted as usual, "
                    "nobody is entered as the caller, and no bonus is paid."
                ),
                search="nobody called end stuck give up niemand gerufen abbrechen aufgeben",
            ),
        ),
    ),
)
