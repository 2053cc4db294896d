"""What the guide says while cards are played."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.guide.entry import OTHERWISE, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import EmptySlot, Finished, HandsUsed, Simultaneous, StuckTable

REVERSING: Mapping[object, str] = {
    False: mark("piles only go up."),
    True: mark(
        "some cards turn a pile round. The top card then says nothing about the height of its pile: count by the backs "
        "alone."
    ),
}
"""Which way a Lake pile may grow (rules E4)."""

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
                house=(
                    AtThisTable(
                        "both_ends",
                        {
                            False: mark("that makes %(available)s cards at a time."),
                            True: mark(
                                "the card at the far end of each column, and the one at the bottom of the turned "
                                "%(Stream)s, may be played too."
                            ),
                        },
                    ),
                ),
                search="six seven available legal move top card sechs sieben spielbar erlaubt",
            ),
            Entry(
                "lake",
                ("E2", "A9", "K14"),
                mark("How is the %(Lake)s built?"),
                mark(
                    "An ace starts a pile; on it goes the two of the same suit, then the three, and so "
                    "on without a gap up to the king. Every side may play on every pile."
                ),
                house=(AtThisTable("reversing", REVERSING),),
                search=(
                    "foundation lake common pile centre center middle build up ascending upwards "
                    "increasing suit same suit ace start sequence next number order anyone someone "
                    "else's everyone shared new pile two after ace where do aces go aufwärts aufsteigend "
                    "bauen farbe ass asse ablegen folge folgen reihenfolge nächste zahl gemeinsam alle "
                    "neuer stapel wohin what goes on an ace, placed on an ace, start a new pile, who may "
                    "play in the middle, can i play on a pile somebody else started, in which order in "
                    "the middle, was kommt auf ein ass, darf jeder in die mitte legen, wie legt man in "
                    "der mitte what is the lake, foundation lake, was ist die mitte, was kommt auf eine "
                    "dame in der mitte foundation pile, foundation piles, lake pile, lake piles, build a "
                    "pile in the lake what may be put on an ace, placed on the ace, queen on a king, "
                    "king is the end, ace to king, what goes on what, where do aces go, where does an "
                    "ace go"
                ),
            ),
            Entry(
                "finished",
                ("E3", "K9"),
                mark("What happens to a full pile, ace to king?"),
                mark("Whoever plays the king marks the pile as finished, and nobody plays on it any more."),
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
                    AtThisTable("counts", {True: mark("the cards of a finished pile still count.")}),
                ),
                search=(
                    "what goes on a king was kommt auf den könig king kings dead pile complete completed "
                    "closed full top done turned upside down move aside set away thirteen cards what "
                    "comes after the king könig könige tot toter fertig voll voller komplett "
                    "abgeschlossen umdrehen umgedreht weglegen beiseite zur seite nach dem könig "
                    "finished pile, pile is finished, ace to king, pile with a king on top, where do i "
                    "put the finished pile, volle stapel, fertiger stapel, wohin mit dem fertigen "
                    "stapel, stapel mit könig, cards under the king, count the cards under the king, do "
                    "finished piles count"
                ),
            ),
            Entry(
                "withholding",
                ("E5", "K6"),
                mark("May I hold back an ace or a card that fits?"),
                mark(
                    "Books disagree. By the stricter ones an ace must be played as soon as it is seen, and so must a "
                    "card of the %(Pile)s that fits the %(Lake)s, unless there is a place for it in the %(River)s. "
                    "Others never force anybody. Cards of the %(River)s and the %(Stream)s, but for aces, may be held "
                    "back everywhere."
                ),
                house=(
                    AtThisTable(
                        "withholding",
                        {
                            False: mark(
                                "aces may not be held back, and cards of the %(Pile)s that fit the %(Lake)s only if "
                                "there is a place for them in the %(River)s."
                            ),
                            True: mark("nobody is ever forced to play a card."),
                        },
                        mark("Holding back"),
                    ),
                ),
                search=(
                    "withhold withholding hold holding back held keep keeping keep back save saved wait "
                    "forced force obliged must play have to play an ace compelled aces block blocking "
                    "legal refuse not play on purpose sit on a card skip zurückhalten zurückgehalten "
                    "aufheben aufsparen behalten zwang gezwungen spielzwang muss spielen legen pflicht "
                    "ass asse absichtlich blockieren nicht legen warten do i have to put a card in the "
                    "middle, can i skip a play, may i wait with an ace, keep my ace, hold on to a card, "
                    "do i have to play it, choose not to play, muss ich das ass legen, muss ich legen "
                    "wenn ich kann, darf ich eine karte behalten asse sofort spielen, ace must be played "
                    "at once, aces have to go out, must aces go out right away, play aces right away, "
                    "have to play an ace"
                ),
            ),
            Entry(
                "stacking",
                ("E6",),
                mark("May I put several cards into the %(Lake)s at once?"),
                mark(
                    "Usually one after the other, so that others get their chance in between. Some "
                    "tables let you put down a run you hold as one move, never more cards than are "
                    "available."
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
                search=(
                    "stack multiple run together group mehrere folge zusammen stapeln, put two cards "
                    "down at the same time, two cards at the same time, two cards at once on the lake"
                ),
            ),
            Entry(
                "others-cards",
                ("E10",),
                mark("May I touch the cards of others?"),
                mark(
                    "No. Nobody plays on, moves or straightens another side's %(River)s, %(Stream)s or %(Pile)s. The "
                    "only common ground is the %(Lake)s."
                ),
                search=(
                    "in die karten der anderen greifen touch touching move straighten tidy someone "
                    "else's another player's opponent opponents foreign neighbour neighbor enemy cards "
                    "their river steal play on others berühren anfassen gegner fremde anderen andere "
                    "nachbar karten der anderen spielfeld klauen anlegen bei anderen moved my cards, "
                    "takes my card, play on his columns, put my card on her tableau, touches my cards, "
                    "nimmt meine karten, bei anderen anlegen, fasst meine karten an, grabbed my card, "
                    "took my card, somebody took my card, grabs cards of others, dem Gegner Karten "
                    "wegnehmen"
                ),
            ),
            Entry(
                "retract",
                ("E12", "E13"),
                mark("May I take a card back?"),
                mark(
                    "As long as your fingers are on it, yes. Once you have let go, a card in the %(Lake)s stays, "
                    "unless somebody was faster or it does not belong there."
                ),
                search=(
                    "take taking took back undo retract retracting let go release released finger "
                    "fingers change my mind changed regret wrong card by mistake return pull back touch "
                    "move still hold move a card from the middle back hand rules karte zurücknehmen "
                    "zurückgenommen zurückziehen rückgängig wieder wegnehmen loslassen losgelassen "
                    "finger umentscheiden anders überlegt aus versehen gelegt let go of the card "
                    "already, card has left my hand, put it back, changed my mind, i did not mean to, "
                    "move it to another pile, schon losgelassen, doch anders legen, wieder zurück karte "
                    "wegnehmen retrieve, retrieving a card, eine Karte wieder wegnehmen"
                ),
            ),
            Entry(
                "simultaneous",
                ("E14", "K12"),
                mark("Two of us play the same card at the same moment. Whose counts?"),
                mark("The card that lies lower was first and stays. One that came later goes back to where it was."),
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
                search=(
                    "says he was first two of us play at the same time simultaneous simultaneously tie "
                    "same time same moment same card at once race collision collide clash duplicate "
                    "faster quicker who was first first there fastest beat me both played two cards "
                    "together slap hit who gets the spot gleichzeitig zugleich zur selben zeit gleicher "
                    "moment wer war zuerst erster schneller schnellste doppelt beide dieselbe karte "
                    "zusammenstoß both cards landed at once, landed first, two of the same card on a "
                    "pile, we both had the five, who was quicker, photo finish, arrived together, wer "
                    "war schneller, zwei legen gleichzeitig, beide karten liegen, zwei gleiche karten "
                    "auf einem stapel took my spot, two kings, two aces, both play the king simultaneous "
                    "play, adjudication of simultaneous plays, who played first simultaneous plays two "
                    "players put down the same card, who keeps it zugleich gleichzeitig gelegt, two of "
                    "the same card, same card twice, both played the five, zwei Gleiche auf einmal, "
                    "beide haben dieselbe Karte gelegt, zwei gleiche Karten, who was first, wer war "
                    "zuerst, Gleichzeitigkeit, wer bekommt den Punkt, two sevens of hearts, two hearts "
                    "on the same pile, beide haben die Fünf gelegt, beide gelegt"
                ),
            ),
            Entry(
                "misplaced",
                ("E15",),
                mark("A card lies on a pile where it does not belong. What now?"),
                mark(
                    "It goes back to its owner, together with every card that was played on it since. If it is found "
                    "only when counting, take those cards out of the %(Lake)s and do not count them."
                ),
                search=(
                    "put a 5 on a 3 that does not go there misplaced misplay misplaced wrong mistake error suit "
                    "illegal illegally wrongly placed false incorrect wrong pile wrong suit wrong colour wrong "
                    "number skipped a number out of order somebody put played does not belong put back afterwards "
                    "bad card falsch falsche falscher fehler irrtum irrtümlich verlegt falsch gelegt falsch "
                    "abgelegt falscher stapel falsche farbe gehört nicht übersprungen fehlerhaft ungültig wrong "
                    "suit on the pile, hearts on spades, card does not fit, noticed too late, that is not the "
                    "right pile, passt nicht, karte liegt falsch, auf dem falschen stapel, falsch angelegt"
                ),
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
                            HandsUsed.ONE: mark("each player uses one hand only."),
                            HandsUsed.OTHER_HOLDS: mark("one hand plays, and the other may only hold the %(Stream)s."),
                        },
                        mark("One hand or both"),
                    ),
                ),
                search=(
                    "hand hands one single both two left right left-handed fingers use only other hand "
                    "behind back hand hände mit beiden händen zwei einer einhändig beidhändig links "
                    "rechts linkshänder linke rechte which hand may i use, with one hand only, both "
                    "hands at once, two hands, mit welcher hand, beide hände, nur eine hand which hand "
                    "may i play with, mit welcher hand darf ich spielen, nur eine hand benutzen my other "
                    "hand to hold the stock, linke hand hält den talon einhandregel, lefty, left handed, "
                    "left handed child, with two hands, with one hand"
                ),
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
                        REVERSING,
                        mark("Direction"),
                    ),
                ),
                search=(
                    "reverse reversed reversing power card special direction descend descending downwards "
                    "backwards down turn round count down in the middle richtung umkehren umgekehrt rückwärts "
                    "abwärts runter absteigend sonderkarte richtungswechsel can a pile go down, downward, count "
                    "down from the king, stapel rückwärts, von könig abwärts"
                ),
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
                    "work pile build building down descending decreasing alternate alternating colour "
                    "color red black on red column move columns move a column run sequence unit several "
                    "cards whole stack onto another abwärts absteigend abwechselnd farbe farben rot "
                    "schwarz rot auf schwarz spalte spalten verschieben umlegen bewegen bauen anlegen "
                    "what goes on what, black six on red seven, red on red, same colour on each other, "
                    "whole column, move a whole column, rote auf schwarze, ganze spalte umlegen, darf "
                    "ich spalten verschieben, gleiche farbe aufeinander what is the river, what goes on "
                    "a queen, was ist die reihe four of hearts on five of spades, which card goes on "
                    "which auf welche farbe darf ich legen move several cards in my row, several cards "
                    "as one the river is, do suits matter, suits in the river, aces in the river, ace in "
                    "a column, split a column, part of a column, move half a column, was darf man "
                    "drauflegen, can aces go in the river, can an ace go in the river, drauflegen"
                ),
            ),
            Entry(
                "columns",
                ("E7",),
                mark("How do the cards of a column lie?"),
                mark(
                    "Staggered: each card covers only part of the one before, so that everybody can see every rank and "
                    "suit, and you can pick the column up as a unit. The front card lies uncovered."
                ),
                search=(
                    "stagger staggered staggering overlap overlapping fan fanned cascade cascading spread cover "
                    "visible readable squared column columns laid lie arrange neat tidy versetzt gestaffelt "
                    "überlappen überlappend aufgefächert fächern schuppen geschuppt treppe untereinander sichtbar "
                    "spalte auslegen ordentlich how to lay a column, cards on top of each other, hide cards in a "
                    "column, untereinander legen, karten übereinander wie lege ich die spalten, wie liegen die "
                    "spalten"
                ),
            ),
            Entry(
                "empty-slot",
                ("E8", "K7"),
                mark("What goes into an empty slot of the %(River)s?"),
                mark("Where the card may come from is a house rule."),
                house=(
                    AtThisTable(
                        "empty_slot",
                        {
                            EmptySlot.ANY: mark(
                                "an empty %(River)s slot may be filled with any card you may play, or with a column, "
                                "and it may stay empty."
                            ),
                            EmptySlot.NERTZ: mark("an empty %(River)s slot must be filled from the %(Pile)s."),
                        },
                        mark("Empty slot"),
                    ),
                ),
                search=(
                    "empty slot gap space hole spot place fill filled refill vacant free column ran out of cards "
                    "no cards left in a column lücke leer leere leerer füllen auffüllen nachfüllen besetzen frei "
                    "freier platz freie spalte loch was kommt hin must i fill an empty column, empty column, what "
                    "can i put in an empty space, king in an empty column, leere spalte füllen, was kommt auf "
                    "einen leeren platz, spalte ist leer"
                ),
            ),
            Entry(
                "slide-under",
                ("E9",),
                mark("May I slide a card under a column?"),
                mark(
                    "Only while one of your slots is open: then it is the same as laying the card there and moving the "
                    "column onto it. Moving columns about to free a slot is allowed as well."
                ),
                house=(
                    AtThisTable(
                        "empty_slot", {EmptySlot.NERTZ: mark("the card you slide under must come from the %(Pile)s.")}
                    ),
                ),
                search=(
                    "slide sliding slip under underneath beneath transfer method strategic play insert in between "
                    "put below bottom of the column unterschieben drunter darunter unter eine spalte einschieben "
                    "schieben dazwischen unten anlegen put a card under a column, under the column, six under the "
                    "five, push it under, karte unter die spalte schieben, unter die sechs"
                ),
            ),
            Entry(
                "flip",
                ("B6",),
                mark("How many cards of the %(Stream)s do I turn at a time?"),
                mark(
                    "Always the same number, and they keep their order. Only the top card of what you "
                    "have turned may be played, then the one beneath it."
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
                    AtThisTable("flip", {1: "", OTHERWISE: mark("if fewer are left at the end, turn those.")}),
                ),
                search=(
                    "one card or three from the stock one at a time flip flipping flips three at a time three "
                    "cards one by one draw drawing turn turning over how many waste group count drei karten eine "
                    "einzeln aufdecken umdrehen umblättern ziehen wie viele auf einmal dreier immer drei turn "
                    "over three, how many do i turn over, third card, only every third card, flip through the "
                    "stock, drei karten umdrehen, jede dritte karte, wie viele decke ich auf how fast must i turn"
                ),
            ),
            Entry(
                "stream-end",
                ("E18",),
                mark("My %(Stream)s is used up. What now?"),
                mark(
                    "Turn the whole waste over and start again at once, as often as you like. Its order stays as it "
                    "is: no shuffling, no cutting."
                ),
                search=(
                    "stream empty stream gone run out ran out runs out used up finished through go "
                    "through again recycle reuse waste order shuffle reshuffle last cards over from the "
                    "beginning how often no more cards to turn end durch durchgespielt aufgebraucht zu "
                    "ende leer alle wieder von vorn nochmal reihenfolge neu mischen umdrehen wie oft "
                    "ende how many times through the stock, how often may i go through, stock is "
                    "finished, turn the waste over, change the order of the stock, wie oft durch den "
                    "talon, talon leer, stapel durch, talon umdrehen, darf ich den talon mischen "
                    "reihenfolge im talon ändern only two cards left in the stock, discard pile empty, "
                    "Ziehstapel leer, run through my deck, ran through my stock"
                ),
            ),
            Entry(
                "peeking",
                ("E18", "B10"),
                mark("May I look at cards that are covered?"),
                mark(
                    "No. Face-down cards stay unseen, and you may not lift the top card of what you have "
                    "turned from the %(Stream)s to see what lies beneath it. You may not put turned "
                    "cards back either."
                ),
                search=(
                    "peek peeking peeked look looking looked under lift blocked covered hidden face down cards "
                    "beneath spy see next card secretly put back a group spicken spickt schauen geschaut "
                    "nachsehen linsen anheben drunter verdeckte karten darunter ansehen heimlich gucken "
                    "accidentally looked at a card, saw a card, look at the next card, look under the pile, look "
                    "through my pile, nächste karte anschauen, unter die karte schauen, in den stapel schauen"
                ),
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
                search=(
                    "bottom both ends either end back end other end last card top of the column play from the "
                    "back variant unten hinten beide enden von hinten ende der spalte anderes ende bottom card of "
                    "my column, last card of a column fits, from underneath, unterste karte spielen, von unten "
                    "wegnehmen"
                ),
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
                    "Keep turning your %(Stream)s: what the others play may open a place for you. As "
                    "long as anybody else can play, you wait."
                ),
                house=(
                    AtThisTable(
                        "stuck",
                        {
                            StuckTable.NEW_STOCK: mark(
                                "a player stuck alone may put the top card of the %(Stream)s to the bottom while "
                                "waiting."
                            ),
                            OTHERWISE: mark("you never change the order of your cards on your own."),
                        },
                    ),
                ),
                search=(
                    "stuck blocked no move no moves can't cannot move wait alone only me nothing to play "
                    "no card fits skip pass hopeless help festgefahren feststecken hänge stecke fest "
                    "komme nicht weiter nichts geht kann nicht spielen legen warten aussetzen passen "
                    "allein nur ich keine karte passt i have no moves, i can't go, only i am stuck, i'm "
                    "stuck what do i do, my cards do not fit, ich habe nichts, ich stecke fest, nur ich "
                    "hänge fest, ich kann nichts legen, mir fehlt eine karte, ran out of moves, out of "
                    "moves but the others still play, only I have no move"
                ),
            ),
            Entry(
                "stuck-all",
                ("F1", "F2", "F3", "F5", "F6", "F7", "K11"),
                mark("Nobody can play any more. How does it go on?"),
                mark(
                    "Say so aloud and make sure that it is true for every side: with few sides it happens more often."
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
                                "together as a new one, and turn on from there. If all are stuck even so, "
                                "the hand ends and is scored."
                            ),
                            StuckTable.TOP_TO_BOTTOM: mark(
                                "all move the top card of their %(Stream)s to the bottom at the same time and turn on."
                            ),
                            StuckTable.HAND_ENDS: mark("the hand ends at once and is scored."),
                        },
                        mark("Stuck table"),
                    ),
                ),
                search=(
                    "idle idled idling game burn procedure deadlock stalemate gridlock standstill "
                    "everyone everybody no one nobody none can move play all stuck all players no moves "
                    "left cycle twice nothing works any more nothing happens frozen game stopped patt "
                    "blockiert keiner niemand alle kann mehr legen spielen weiter stillstand verbrennen "
                    "brennen nichts geht mehr festgefahren blockade stocken wie weiter we are all stuck, "
                    "nobody has a move, nothing goes, game does not move on, wir sind alle blockiert, "
                    "alle hängen fest, es geht nichts mehr, keiner kann legen, everybody is stuck, "
                    "everyone is stuck, all stuck, deadlock"
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
                house=(
                    AtThisTable(
                        "stuck",
                        dict.fromkeys((StuckTable.NEW_STOCK, StuckTable.HAND_ENDS), mark("no cards are burned.")),
                    ),
                ),
                search=(
                    "burn burning burned burnt stream top card to the bottom together simultaneous how does "
                    "burning work brennen verbrennen gleichzeitig unter den stapel unterste oberste burn at the "
                    "same moment, burn alone, what is a burn, what does burn mean, allein brennen, was heißt "
                    "brennen"
                ),
            ),
            Entry(
                "nertz-burn",
                ("F5",),
                mark("When do we burn from the %(Pile)s?"),
                mark(
                    "Only in the procedure with burns, and only after three %(Stream)s burns in a row without any play "
                    "at the table. All sides do it together: the top card goes under the pile, and the next is turned."
                ),
                house=(
                    AtThisTable(
                        "stuck",
                        {
                            StuckTable.NATIONAL: mark("when nobody can play, this procedure is used."),
                            OTHERWISE: mark("cards of the %(Pile)s are never burned."),
                        },
                    ),
                ),
                search=(
                    "burn a nertz card after three burns count reset dreimal after three burns, burn from my "
                    "nertz pile, nach dreimal brennen nertz card burn, burning nertz cards, nertz burn"
                ),
            ),
            Entry(
                "dead-hand",
                ("F8", "C19"),
                mark("May a hand end without a call?"),
                mark(
                    "Yes, when all are stuck for good. It is scored as usual, nobody is entered as the "
                    "caller, and no bonus is paid."
                ),
                house=(
                    AtThisTable(
                        "stuck",
                        {
                            StuckTable.HAND_ENDS: mark("the hand ends as soon as all are stuck."),
                            StuckTable.NEW_STOCK: mark("the hand ends when all are stuck even with a new %(Stream)s."),
                            OTHERWISE: mark("a hand that stays stuck ends when everybody agrees."),
                        },
                    ),
                ),
                search=(
                    "nobody called no one called nobody wins no winner end ended ending end early stuck "
                    "give up abandon abort quit dead void cancel stop a hand without nertz niemand "
                    "keiner gerufen abbrechen abgebrochen aufgeben vorzeitig beenden runde ohne nertz "
                    "ohne ruf kein gewinner tote runde nobody called, nobody called and all stuck, end "
                    "the hand without nertz, hand nobody finished, niemand hat gerufen, runde endet "
                    "ohne, runde abbrechen, nobody got out, nobody went out, nobody finished"
                ),
            ),
        ),
    ),
)
