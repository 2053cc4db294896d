"""What the guide says of whole games: their end, teams, accidents, variants."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.guide.entry import ONE, OTHERWISE, SEVERAL, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.guide.shared import TEAMS
from scorekeeper.rules.house import Alternation, Partnership, TieBreaker
from scorekeeper.rules.layout import Layout

PLAYERS = mark("Players")
LENGTHS: Mapping[object, str] = {
    "open": "",
    ONE: mark("one hand is the whole game."),
    "fixed": mark("the game ends after %(rounds)s hands."),
    "at the latest": mark("the game ends after %(rounds)s hands at the latest."),
}
"""After how many hands a game ends (rules D6, D8)."""

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
                    "At the end of a hand, never in the middle of one. Where there is a target, exactly "
                    "that is enough, and if several have reached it, the best score wins."
                ),
                house=(
                    AtThisTable(
                        "goal",
                        {
                            "none": mark("no number of points ends the game."),
                            (True, ONE): mark("the game ends when a side has won one hand."),
                            (True, SEVERAL): mark("the game ends when a side has won %(target)s hands."),
                            (False, ONE): mark("the game ends when a side has 1 point or more."),
                            (False, SEVERAL): mark("the game ends when a side has %(target)s points or more."),
                        },
                        mark("Target"),
                    ),
                    AtThisTable("length", LENGTHS, mark("Hands")),
                ),
                search=(
                    "wann ist das spiel vorbei game over target goal reach reached points to win wins "
                    "game over ends end of the game finish how long 50 100 150 200 250 500 how many "
                    "points needed over a hundred when has somebody won hands rounds first to ziel "
                    "zielpunkte ende spielende zu ende aus vorbei gewinnen gewonnen gewinnt erreichen "
                    "wie lange bis wie viele punkte braucht man bis hundert wer gewinnt das spiel sieg "
                    "how high do we play, play until 200, play to a hundred, how many points to win, is "
                    "exactly 100 enough, when does it end, how long does a game last, bis wie viele "
                    "punkte, wann ist schluss, wann endet das spiel, wann hat man gewonnen, wie lange "
                    "dauert ein spiel, how high do we play, winning the game, how do you win, how to "
                    "win, when do you win, how do you win the game, wins the game, how do you win, how "
                    "to win the game, how do I win"
                ),
            ),
            Entry(
                "tie",
                ("D4", "D5", "K8", "L"),
                mark("The score is level at the end. Who wins?"),
                mark(
                    "Where calls break a tie, whoever called %(Call)s more often. If that is level too, "
                    "or calls do not count, a tie-breaker hand is played, and the end is judged anew "
                    "after it: scores may fall again, and others may come back. If partners are tied "
                    "with each other, change partners first."
                ),
                house=(
                    AtThisTable(
                        "calls_break_ties",
                        {
                            True: mark("if the score is level, whoever called more often wins."),
                            False: mark("calls do not break a tie: the tie-breaker hand follows at once."),
                        },
                        mark("Tie"),
                    ),
                    AtThisTable(
                        "tie_breaker",
                        {
                            TieBreaker.EVERYBODY: mark("everybody plays the tie-breaker hand."),
                            TieBreaker.TIED: mark("only those who are tied play the tie-breaker hand."),
                        },
                        mark("Tie"),
                    ),
                ),
                search=(
                    "score is a draw ends in a draw drawn game tie ties tied tying level draw tie-break "
                    "tiebreak tiebreaker equal even same score same points number of points deadlock "
                    "playoff sudden death final hand break a tie who wins gleichstand unentschieden "
                    "gleich viele punkte punktgleich punktgleichheit gleiche punktzahl entscheidung "
                    "entscheidungsrunde stechen remis wer gewinnt final score is even, both have the "
                    "same points, tie at the end, two winners, gleich viele punkte, zwei haben gleich "
                    "viel, wer gewinnt bei gleichstand, tied with my partner, partners are tied, "
                    "Verlängerung, overtime, extra hand"
                ),
            ),
            Entry(
                "won-game",
                ("K14",),
                mark("Somebody has won. Can that still change?"),
                mark(
                    "A decided game stays decided. After the end nobody joins or leaves, and no handicap and no "
                    "penalty is given. A correction, an undo or other rules may still move the end: the page first "
                    "shows the standings before and after. If that shows that a hand was played after the end, the "
                    "table decides whether it counts."
                ),
                search=(
                    "after the game is over, after the end of the game, after somebody has won, game "
                    "already over, mistake found after the game was over, wrong score after the end, "
                    "left after winning, leaves after the win, winner goes home, undo the last hand of a "
                    "won game, does the win stay, hand played after the end, one hand too many, played "
                    "on after the win, correct a finished game, rules changed after the end, nach dem "
                    "Ende des Spiels, Spiel ist schon vorbei, schon gewonnen, Fehler nach dem Ende "
                    "gefunden, nach dem Sieg gegangen, Sieger geht nach Hause, bleibt der Sieg, eine "
                    "Runde zu viel gespielt, nach dem Sieg weitergespielt, nachträglich ändern, im "
                    "Nachhinein, afterwards, reopen the game"
                ),
            ),
            Entry(
                "rounds",
                ("D6", "D8"),
                mark("Can we play a fixed number of hands instead?"),
                mark(
                    "Yes: choose how many when the game starts. After the last hand the best score wins; "
                    "ties are broken as usual. One hand can be a whole game."
                ),
                house=(AtThisTable("length", {**LENGTHS, "open": mark("the number of hands is not fixed.")}),),
                search=(
                    "number of hands rounds fixed limit limited time short game only one hand how many "
                    "rounds set amount play five anzahl runden spielrunden wie viele runden feste "
                    "begrenzt zeit kurzes spiel nur eine runde dauer play just five rounds, play three "
                    "hands, short on time, only half an hour, fünf runden spielen, wenig zeit, nur drei "
                    "runden rundenzahl festlegen, number of rounds zahl der runden, Zahl der Runden, "
                    "Anzahl Runden"
                ),
            ),
            Entry(
                "tally",
                ("D7", "K19"),
                mark("Can we count hands won instead of points?"),
                mark("Yes: the caller wins the hand, and no cards are counted at all."),
                house=(
                    AtThisTable("counts", {True: mark("points are counted."), False: mark("hands won are counted.")}),
                ),
                search=(
                    "tally victory victories number of hands won without points no counting simple best of five "
                    "strichliste striche siege gewonnene runden einfach wins most rounds, count only who won, win "
                    "counts instead of points, first to three hands, wer die meisten runden gewinnt, ohne punkte "
                    "spielen"
                ),
            ),
            Entry(
                "late",
                ("L",),
                mark("Somebody comes late or has to leave. What about the score?"),
                mark(
                    "While the game goes on, a side that joins starts at zero, or at a score the table "
                    "agrees on. A side that leaves keeps its row, marked as gone, and may come back. "
                    "When the game is over nobody joins, leaves or comes back."
                ),
                search=(
                    "join joins joining joined leave leaves leaving left late comes arrive arrived later new "
                    "player quit go home drop out in the middle halfway toilet away später spät zu spät kommen "
                    "dazukommen mitmachen einsteigen aussteigen gehen weggehen muss weg neuer spieler neu "
                    "aufhören nach hause mittendrin dad arrives later, new player joins, someone has to leave "
                    "early, join in the middle, drop out, may i join, jemand kommt später, muss früher gehen, "
                    "kann ich noch mitmachen, steigt aus player left the game, player leaves the game, lost a "
                    "player spieler hört auf, hört auf, steigt aus, gibt auf und geht"
                ),
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
                    "One partner looks after the %(Pile)s and the %(River)s, the other turns the "
                    "%(Stream)s; a third helps where needed. In teams of three the tasks go round."
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
                search=(
                    "alternate alternating partner switch swap role roles turn duties tasks jobs who "
                    "does what team pile holder wechsel wechseln partner aufgabe aufgaben "
                    "aufgabenteilung rolle rollen abwechseln wer macht was team who plays the pile in a "
                    "team, who holds the stock, three in a team, who does what, swap jobs, wer spielt "
                    "den stapel, zu dritt im team, aufgaben tauschen two people on one pile, both "
                    "partners at the same pile, who plays the Nertz pile in a team"
                ),
            ),
            Entry(
                "team-play",
                ("E16",),
                mark("May partners play each other's cards?"),
                mark("Partners may tell each other what they see. Which cards they may play is a house rule."),
                house=(
                    AtThisTable(
                        "share_piles",
                        {
                            True: mark(
                                "partners may hand each other a free card, and play from every pile of their side, "
                                "to the %(Lake)s and the %(River)s."
                            ),
                            False: mark("each partner plays only from the pile he or she looks after."),
                        },
                        mark("Partners' cards"),
                    ),
                ),
                search=(
                    "partner partners pass passing hand over share sharing team mate teammate's cards together "
                    "help give a card play for partner weitergeben reichen teilen mitspieler teampartner karten "
                    "des partners gemeinsam spielen geben play from my partner's stock, use my partner's cards, "
                    "give my partner a card, does my partner, karten vom partner legen, partner hilft, darf mein "
                    "partner"
                ),
            ),
            Entry(
                "partners",
                ("A5", "K15", "L"),
                mark("How are partners chosen?"),
                mark(
                    "That is a house rule: fixed pairs, mixed doubles, or new partners every hand. With "
                    "changing partners each hand's score is credited to every member of the team, so "
                    "that in the end one person wins: people keep their points whatever sides they sat "
                    "in."
                ),
                house=(
                    AtThisTable(
                        "partnership",
                        {Partnership.FREE: mark("people play alone or in teams, as they like."), **TEAMS},
                        mark("Teams"),
                    ),
                ),
                search=(
                    "rotating rotate mixed doubles pair pairs couple change partners credit choose chosen pick "
                    "teams new partner each hand draw lots even teams wechselnde paar paare gemischt doppel "
                    "wechselnd gutschrift auswählen wählen auslosen teams bilden partner finden partnerwechsel "
                    "teameinteilung boys against girls, how to pair up, who plays with whom, swap partners after "
                    "each hand, wer spielt mit wem, ausgelost, losen, zusammen spielen, partner nach jeder runde"
                ),
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
                search=(
                    "timeout time outs pause paused break stop interrupt interruption emergency toilet "
                    "phone rings doorbell hold on wait auszeit auszeiten pause pausieren unterbrechen "
                    "unterbrechung notfall klo toilette telefon klingelt moment mal anhalten phone rang, "
                    "baby cries, doorbell rang, need a break, can we pause, stop for a moment, toilet "
                    "break, telefon klingelt, es klingelt, kurz pause machen, muss aufs klo stop for a "
                    "drink, get a drink, something to eat stop the clock, stop the hand for a while, "
                    "toilet break, need the toilet"
                ),
            ),
            Entry(
                "fumble",
                ("H2", "H4"),
                mark("I dropped or knocked over a pile. What now?"),
                mark(
                    "Play goes on. Put the cards back as they were, as well as you can, without choosing and without "
                    "looking at what was covered. If other sides' cards are mixed in, stop and sort it out together."
                ),
                search=(
                    "fumble fumbling fumbled drop drops dropped fall falls fell fallen over floor knock knocked "
                    "over toppled tipped spill spilled accident accidentally clumsy mess messed up mixed up "
                    "scattered cards on the floor ground pile collapsed fallen gefallen heruntergefallen "
                    "fallengelassen runtergefallen fallen lassen boden auf dem boden umgefallen umgestoßen "
                    "umgekippt umgeworfen missgeschick unfall durcheinander verstreut tollpatsch cat dog jumped "
                    "on the table, bumped the table, water spilled, glass tipped, wind blew, card slipped, fell "
                    "off the table, dropped a card, cards got mixed up, table shook, katze auf dem tisch, karten "
                    "durcheinander geraten, vom tisch gefallen, glas umgekippt, an den tisch gestoßen fußboden, "
                    "karte liegt auf dem fußboden knocked over my stock, dropped my stock, stock fell over"
                ),
            ),
            Entry(
                "missing",
                ("A8", "L"),
                mark("A card is missing. What now?"),
                mark(
                    "Finish the hand, then look for it on the floor and in the other decks: the back tells whose it "
                    "is. If nobody knows which card it is, the scorekeeper can check the deck by photos. Nobody plays "
                    "on with a short deck, and whether the hand just played counts is for the table to say."
                ),
                search=(
                    "eine karte zu wenig one card short missing lost lose lose a card incomplete short deck too "
                    "few cards 51 cards not all cards absent gone disappeared can't find found extra card too "
                    "many cards stray another deck fehlt fehlen fehlende verloren verlorene weg verschwunden "
                    "unvollständig zu wenig karten zu viele nicht komplett finden überzählig fremde karte im deck "
                    "i lost a card, my deck has only 51 cards, one card too many, count my deck, mir fehlt eine "
                    "karte, karte ist weg, karte verloren, deck nicht vollständig two of the same card in my "
                    "deck, replacement card, ersatzkarte"
                ),
            ),
            Entry(
                "cheating",
                ("H7",),
                mark("Somebody cheats. What now?"),
                mark(
                    "Say so at once, while the cards lie as they were played. A card that may not lie there goes back, "
                    "with every card played on it since. Whether it costs points is for the table to say: the "
                    "scorekeeper enters a penalty with the reason, or marks the hand as disputed until you agree."
                ),
                search=(
                    "cheat cheats cheater cheating cheated cheaty dishonest unfair caught lie lied liar trick "
                    "false play accuse mogeln mogelt gemogelt schummeln schummelt geschummelt betrügen betrügt "
                    "betrogen betrug betrüger bescheißen unehrlich falschspieler unfair erwischt he cheats, "
                    "caught cheating, is that cheating, not playing fair, er schummelt, spielt unfair, beim "
                    "schummeln erwischt"
                ),
            ),
            Entry(
                "penalties",
                ("H5",),
                mark("What does breaking a rule cost?"),
                mark(
                    "No book gives numbers: the table decides on the kind and the size. It is taken off in that hand, "
                    "with the reason, so that it stays visible."
                ),
                search=(
                    "penalty penalties foul fine punish punished punishment deduction break breaking "
                    "broke broken rule rules points off sanction illegal move strafe strafen strafpunkte "
                    "bestrafen verstoß regelverstoß regelbruch abzug punktabzug buße foul what is the "
                    "penalty, punishment for, broke a rule, what does it cost, how many points off, was "
                    "kostet das, welche strafe, was kostet ein fehler, gegen die regeln punishment for "
                    "touching cards, penalty cards"
                ),
            ),
            Entry(
                "handicap",
                ("H6", "L"),
                mark("Can we make it fair for beginners?"),
                mark(
                    "Yes: a side may start with points, get points in every hand, or begin each hand "
                    "with a smaller %(Pile)s. Set it before the first hand, never after the end; the "
                    "board shows it."
                ),
                search=(
                    "handicap handicaps beginner beginners novice child children kid kids age young old "
                    "slow slower experienced expert good player advantage head start fair easier weaker "
                    "kind kinder oma opa anfänger neuling alter jahre langsam schwächere erfahrene "
                    "vorgabe vorsprung ausgleich fair gerecht leichter can a five year old play, too "
                    "slow, always loses, too good, too young, kids against adults, make it fair, easier "
                    "for children, immer verliert, zu langsam, für kinder leichter, mit kindern spielen, "
                    "fünfjährige, fewer cards for the little one, fewer cards for children, smaller pile "
                    "for kids, too slow"
                ),
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
                search=(
                    "joker jokers wild card declare say name any card announce joker jokern wild ansagen "
                    "nennen bestimmen ablegen was zählt beliebige karte ersetzt what is a joker, joker "
                    "in the middle, does a joker count, joker instead of a card, which card is the "
                    "joker, was ist ein joker, zählt der joker, joker in der mitte, muss ich den joker "
                    "ansagen, Narr in der Mitte"
                ),
            ),
            Entry(
                "joker-river",
                ("I2",),
                mark("And a joker on my %(River)s?"),
                mark(
                    "There you need not say anything. It stands for the card that belongs there, so on a "
                    "king it is a queen. Once a card lies on it, it stays that."
                ),
                house=(AtThisTable("jokers", {0: mark("there are no jokers.")}),),
                search=(
                    "joker jokers on a king on a queen in my own column covered fixed joker auf einem "
                    "könig auf der dame spalte bedeckt festgelegt eigene joker on my column, put a card "
                    "on a joker, joker in der eigenen reihe, joker in der spalte, joker on an empty "
                    "column, joker in an empty slot, joker on a king"
                ),
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
                            Layout.PISHE_PASHA: mark("the first to get rid of stock and discard pile wins the hand."),
                            Layout.DOUBLE_SOLITAIRE: mark("the first to play all their cards wins the hand."),
                        },
                        mark("Winning"),
                    ),
                ),
                search=(
                    "double solitaire canfield pishe pasha russian bank patience other card games, andere "
                    "kartenspiele, another game, anderes spiel"
                ),
            ),
        ),
    ),
)
