"""What the guide says of whole games: their end, teams, accidents, variants."""

from __future__ import annotations

from scorekeeper.guide.entry import OTHERWISE, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Alternation, Partnership, TieBreaker
from scorekeeper.rules.layout import Layout

PLAYERS = mark("Players")

TOPICS = (
    Topic(
        "ending",
        mark("The end of the game"),
        (
            Entry(
                "target",
                ("D1", "D2", "D3", "D9", "K2", "K2b"),
                mark("When is the game over?"),
                mark(
                    "At the end of a hand, never in the middle of one. A side that has exactly the target has reached "
                    "it, and if several have, the most points win."
                ),
                house=(
                    AtThisTable(
                        "goal",
                        {
                            "none": mark("no number of points ends the game."),
                            "hands": mark("the game ends when a side has won %(target)s hands."),
                            OTHERWISE: mark("the game ends when a side has %(target)s points or more."),
                        },
                        mark("Target"),
                    ),
                    AtThisTable(
                        "rounds",
                        {
                            0: "",
                            1: mark("one hand is the whole game."),
                            OTHERWISE: mark("the game ends after %(rounds)s hands at the latest."),
                        },
                        mark("Hands"),
                    ),
                ),
                search="target goal win reach end 100 150 200 ziel ende gewinnen erreichen",
            ),
            Entry(
                "tie",
                ("D4", "D5", "K8", "L"),
                mark("Two sides are level at the end. Who wins?"),
                mark(
                    "First the side that called %(Call)s more often. If that is level too, a tie-breaker hand is "
                    "played, and the end is judged anew after it: scores may fall again, and others may come back."
                ),
                house=(
                    AtThisTable(
                        "tie_breaker",
                        {
                            TieBreaker.EVERYBODY: mark("more calls win; else everybody plays a tie-breaker hand."),
                            TieBreaker.TIED: mark("more calls win; else the tied sides alone play a tie-breaker hand."),
                        },
                        mark("Tie"),
                    ),
                ),
                search="tie level draw tiebreaker equal gleichstand unentschieden entscheidung stechen",
            ),
            Entry(
                "rounds",
                ("D6", "D8"),
                mark("Can we play a fixed number of hands instead?"),
                mark(
                    "Yes: choose how many when the game starts. After the last hand the most points win; ties are "
                    "broken as usual. One hand can be a whole game."
                ),
                house=(
                    AtThisTable(
                        "rounds",
                        {
                            0: mark("the number of hands is not fixed."),
                            OTHERWISE: mark("the game ends after %(rounds)s hands at the latest."),
                        },
                    ),
                ),
                search="number hands rounds fixed limit time anzahl runden feste zeit",
            ),
            Entry(
                "tally",
                ("D7", "K19"),
                mark("Can we count hands won instead of points?"),
                mark("Yes: the caller wins the hand, and no cards are counted at all."),
                house=(
                    AtThisTable("counts", {True: mark("points are counted."), False: mark("hands won are counted.")}),
                ),
                search="tally wins victory hands won no counting strichliste siege",
            ),
            Entry(
                "late",
                ("L",),
                mark("Somebody comes late or has to leave. What about the score?"),
                mark(
                    "A side that joins starts at zero, or at a score the table agrees on. A side that leaves keeps its "
                    "row, marked as gone, and may come back."
                ),
                search="join leave late new player spät gehen neu einsteigen aufhören",
            ),
        ),
    ),
    Topic(
        "teams",
        mark("Teams"),
        (
            Entry(
                "team-roles",
                ("B11",),
                mark("In a team, who holds which pile?"),
                mark(
                    "One partner looks after the %(Pile)s and the %(River)s, the other turns the %(Stream)s; a third "
                    "helps where needed. It is fair to change after every hand, and in teams of three the tasks go "
                    "round."
                ),
                house=(
                    AtThisTable(
                        "alternation",
                        {
                            Alternation.OFF: mark("each team divides the work as it likes."),
                            Alternation.SUGGESTED: mark("changing after each hand is recommended."),
                            Alternation.MANDATORY: mark("partners must change after each hand."),
                        },
                        mark("Tasks"),
                    ),
                ),
                search="alternate partner switch role turn duties wechsel partner aufgabe rolle abwechseln",
            ),
            Entry(
                "team-play",
                ("E16",),
                mark("May partners play each other's cards?"),
                mark(
                    "Partners may hand each other a card that is free to be played, and tell each other what they see."
                ),
                house=(
                    AtThisTable(
                        "share_piles",
                        {
                            True: mark(
                                "partners may play from every pile of their side, to the %(Lake)s and the %(River)s."
                            ),
                            False: mark("each partner plays only from the pile he or she looks after."),
                        },
                        mark("Partners' cards"),
                    ),
                ),
                search="partner pass share team mate weitergeben teilen mitspieler",
            ),
            Entry(
                "partners",
                ("A5", "L"),
                mark("How are partners chosen?"),
                mark(
                    "As you like: fixed pairs, mixed doubles, or new partners every hand. With changing partners each "
                    "hand's score is credited to every member of the team, so that in the end one person wins."
                ),
                house=(
                    AtThisTable(
                        "partnership",
                        {
                            Partnership.FREE: mark("singles and teams play as they sat down."),
                            Partnership.SINGLES: mark("everybody plays alone."),
                            Partnership.DOUBLES: mark("teams of two play; an odd player plays alone."),
                            Partnership.MIXED_DOUBLES: mark("mixed doubles play."),
                            Partnership.ROTATING: mark("partners change, and each person has an own score."),
                        },
                        mark("Teams"),
                    ),
                ),
                search="rotating mixed doubles pair change credit paar gemischt doppel wechselnd gutschrift",
            ),
            Entry(
                "nuts",
                ("J1", "J2", "J3", "J4", "K13"),
                mark("What is different in Nuts?"),
                mark(
                    "Nuts is for two pairs with two decks. Each side has 11 cards in its pile, five columns of 5, 4, "
                    "3, 2 and 1 cards with the top card of each face up, and 26 cards in the stock. The opponents "
                    "shuffle, deal and pass you your piles, and partners take turns at it. Each partner plays only "
                    "from the pile he or she looks after. The call is “Nuts!” and brings nothing by itself, each card "
                    "left costs 2, and the game goes to 250."
                ),
                house=(
                    AtThisTable("layout", {Layout.NUTS: mark("two pairs, each with a deck of its own.")}, PLAYERS),
                    AtThisTable(
                        "layout",
                        {
                            Layout.NUTS: mark(
                                "one partner shuffles, counts off the %(pile_size)s cards and passes both piles across "
                                "to the opponents, so that each pair plays what the other has dealt. Partners take "
                                "turns at it."
                            )
                        },
                        mark("Dealing"),
                    ),
                ),
                search="nuts variant partnership eleven 250 preset variante elf",
            ),
        ),
    ),
    Topic(
        "accidents",
        mark("Accidents and penalties"),
        (
            Entry(
                "time-out",
                ("H1", "H2", "H3"),
                mark("May I call a time-out?"),
                mark(
                    "Only in a real emergency, or when an accident has mixed up the cards of two sides or more. Your "
                    "own fumble is no reason, and neither is a breather. On a time-out everybody stops at once with "
                    "hands off the cards, and nobody uses it to plan."
                ),
                search="pause break emergency stop interrupt auszeit notfall unterbrechen",
            ),
            Entry(
                "fumble",
                ("H2", "H4"),
                mark("I dropped or knocked over a pile. What now?"),
                mark(
                    "Play goes on. Put the cards back as they were, as well as you can, without choosing and without "
                    "looking at what was covered. If other sides' cards are mixed in, stop and sort it out together."
                ),
                search="drop knock spill accident fallen umgefallen umgestoßen missgeschick",
            ),
            Entry(
                "penalties",
                ("H5",),
                mark("What does breaking a rule cost?"),
                mark(
                    "No book gives numbers: the table decides on the kind and the size. It is taken off in that hand, "
                    "with the reason, so that it stays visible."
                ),
                search="penalty foul punish deduction strafe verstoß abzug",
            ),
            Entry(
                "handicap",
                ("H6", "L"),
                mark("Can we make it fair for beginners?"),
                mark(
                    "Yes: a side may start with points, get points in every hand, or begin each hand with a smaller "
                    "%(Pile)s. Set it before the first hand; the board shows it."
                ),
                search="handicap beginner child experienced advantage kinder anfänger vorgabe vorsprung",
            ),
        ),
    ),
    Topic(
        "variants",
        mark("Jokers and other games"),
        (
            Entry(
                "joker-lake",
                ("I1", "I3"),
                mark("How is a joker played into the %(Lake)s?"),
                mark(
                    "It stands for any card, but say which rank and suit before you let go. From then on it is that "
                    "card for everybody, and it counts for its owner like any other."
                ),
                house=(
                    AtThisTable(
                        "jokers",
                        {
                            0: mark("there are no jokers."),
                            OTHERWISE: mark(
                                "jokers are in play. A joker on top shows no rank, so say its height "
                                "when the %(Lake)s is counted."
                            ),
                        },
                    ),
                ),
                search="joker wild declare any card ansagen wild",
            ),
            Entry(
                "joker-river",
                ("I2",),
                mark("And a joker on my %(River)s?"),
                mark(
                    "There you need not say anything. It becomes the card that the next one on it requires, and stays "
                    "that until the cards on it have moved away."
                ),
                house=(AtThisTable("jokers", {0: mark("there are no jokers.")}),),
                search="joker column covered fixed spalte bedeckt",
            ),
            Entry(
                "other-games",
                ("J5",),
                mark("Can I keep the score of related games?"),
                mark(
                    "Yes, with typed numbers. Double Solitaire, for two: one deck, four foundation cards and 24 cards "
                    "each, by turns; hands won are counted. Pishe Pasha, for two: one deck, 26 cards each, by turns; "
                    "the winner scores the cards the other has left in stock and discard pile. Canfield, for one: 13 "
                    "cards face up, one foundation card that sets the rank to begin with, four piles of one card, 34 "
                    "cards in the stock; the cards on the foundations count."
                ),
                house=(
                    AtThisTable(
                        "layout",
                        {
                            Layout.PISHE_PASHA: mark("two, with one deck."),
                            Layout.DOUBLE_SOLITAIRE: mark("two, with one deck."),
                            Layout.CANFIELD: mark("one."),
                        },
                        PLAYERS,
                    ),
                    AtThisTable(
                        "layout",
                        {
                            Layout.DOUBLE_SOLITAIRE: mark(
                                "before the first turn the dealer's opponent may swap the two piles."
                            )
                        },
                        mark("Swapping"),
                    ),
                    AtThisTable(
                        "layout",
                        {
                            Layout.PISHE_PASHA: mark("the players take turns."),
                            Layout.DOUBLE_SOLITAIRE: mark("the players take turns."),
                        },
                        mark("Turns"),
                    ),
                    AtThisTable(
                        "layout",
                        {
                            Layout.PISHE_PASHA: mark("a card that fits on a foundation must be played there."),
                            Layout.CANFIELD: mark(
                                "the foundation card sets the rank that all foundations begin with. They go up in "
                                "suit, the ace after the king."
                            ),
                        },
                        mark("Foundations"),
                    ),
                    AtThisTable(
                        "layout",
                        {
                            Layout.PISHE_PASHA: mark(
                                "whoever sees the other player break a rule calls “Stop!”, and may have the play put "
                                "right or end the other's turn."
                            )
                        },
                        mark("“Stop!”"),
                    ),
                    AtThisTable(
                        "layout",
                        {
                            Layout.PISHE_PASHA: mark("whoever is rid of stock and discard pile first wins the hand."),
                            Layout.DOUBLE_SOLITAIRE: mark("whoever is rid of all cards first wins the hand."),
                        },
                        mark("Winning"),
                    ),
                ),
                search="double solitaire canfield pishe pasha russian bank patience",
            ),
        ),
    ),
)
