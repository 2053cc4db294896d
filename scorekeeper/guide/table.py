"""What the guide says before a hand is played: the table, the decks, the deal."""

from __future__ import annotations

from scorekeeper.guide.entry import ONE, OTHERWISE, SEVERAL, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.guide.shared import OTHER_GAMES, TEAMS
from scorekeeper.guide.vocabulary import OTHER_NAMES
from scorekeeper.rules.house import Deal, Partnership
from scorekeeper.rules.layout import Layout

TOPICS = (
    Topic(
        "setting-up",
        mark("Before the game"),
        (
            Entry(
                "aim",
                ("C3", "D9", "G2"),
                mark("How is the game played?"),
                mark(
                    "Everybody plays at the same time, without turns. You want to get rid of your "
                    "%(Pile)s: its cards go to the %(Lake)s, which all share, or onto your own "
                    "%(River)s. When it is gone you call %(Call)s, and the hand is over. You play hands "
                    "until the game is won."
                ),
                house=(
                    AtThisTable(
                        "counts",
                        {
                            True: mark(
                                "the cards you bring to the %(Lake)s score points, and cards left in your "
                                "%(Pile)s usually cost some."
                            ),
                            False: mark("whoever calls wins the hand."),
                        },
                    ),
                ),
                search=(
                    "play how to play learn to play aim goal object objective purpose point of the game "
                    "how to play how do you play explain rules in short beginner first time basics idea "
                    "turn turns take turns whose turn how do i win the game at the same time speed ziel "
                    "zweck worum geht es sinn erklären erklärung wie spielt man wie geht das spiel "
                    "spielregeln spielanleitung anleitung kurz reihum der reihe nach dran wer ist dran "
                    "gewinnt man one after another or all at once, do we go in order, everybody plays at "
                    "once, explain the game to me, goal of nertz, get rid of your pile, wie spielt man "
                    "das, spiel erklären, spielen alle gleichzeitig, nacheinander, was muss man machen, "
                    "wie gewinne ich wie spielt man das spiel, spielen lernen, spielregeln, what is "
                    "Nertz, how do you play it, how to play, rules of Nertz, wie spielt man Nertz, how "
                    "do you win"
                ),
            ),
            Entry(
                "equipment",
                ("A6", "A8", "C20"),
                mark("What do we need to play?"),
                mark(
                    "A deck of cards for each side, each with a different back, and a table whose middle everybody can "
                    "reach. For the score a phone, or paper and a pen."
                ),
                search=(
                    "equipment need needed material supplies things bring buy how many decks packs of "
                    "cards table size special cards required ausstattung ausrüstung zubehör "
                    "spielmaterial material brauchen braucht benötigt kaufen wie viele decks "
                    "kartenspiele kartensätze tisch tischgröße mitbringen how big a table, big table "
                    "needed, special deck tarot uno cards, number of decks, deck per player, was braucht "
                    "man, großer tisch, wie viele kartenspiele, tarot playing area, table too small, own "
                    "deck, does everyone use their own deck"
                ),
            ),
            Entry(
                "players",
                ("A1", "K1"),
                mark("How many can play?"),
                mark(
                    "Two sides or more; there is no upper limit. From six players on, pairs that share a deck are a "
                    "good idea. Beyond eight sides the %(Lake)s gets hard to reach from everywhere, so a larger table "
                    "helps, or two tables."
                ),
                instead=AtThisTable("layout", {Layout.NUTS: mark("Four, as two pairs. Each pair shares a deck.")}),
                search=(
                    "number crowd people persons group family maximum minimum most fewest enough too "
                    "many party couple only just play with two people anzahl spielerzahl wie viele "
                    "spieler mitspieler gruppe personen leute zu zweit zu dritt zu viert zu fünft zu "
                    "sechst höchstens mindestens familie play alone with one, six of us, big group, play "
                    "in pairs, mindestalter, spielen mit fünf, allein spielen, große gruppe two players, "
                    "three players, four players, five players, six players, seven players, eight "
                    "players, twelve players zu zweit spielen, kann man allein spielen six handed, four "
                    "handed, zu dritt, zu sechst, zu fünft, zu viert, three of us, six of us, only two "
                    "of us, zu sechst spielen, kann man zu sechst spielen"
                ),
            ),
            Entry(
                "sides",
                ("A2", "A3", "A4"),
                mark("What is a side?"),
                mark(
                    "One player, or one team of two or three. A side owns one deck, has one %(Pile)s "
                    "and gets one score."
                ),
                instead=AtThisTable(
                    "layout", {Layout.NUTS: mark("A pair. It owns one deck, has one %(Pile)s and gets one score.")}
                ),
                house=(
                    AtThisTable(
                        "partnership",
                        {
                            Partnership.FREE: mark(
                                "singles and teams may sit at one table. When the number is odd, somebody plays "
                                "alone against the teams."
                            ),
                            **TEAMS,
                        },
                    ),
                ),
                search=(
                    "two teams of two zwei teams zu zweit im team team pair couple doubles singles odd "
                    "number uneven player out left over alone one deck mannschaft paar einzel "
                    "einzelspieler doppel allein ungerade seite gegen boys against girls, couples "
                    "against each other, two against one, count as one, jungs gegen mädchen, can we make "
                    "teams, make teams of five, uneven teams"
                ),
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
                search=(
                    "back design same colour color identical pattern different decks look alike mixed similar "
                    "cards tell apart return own cards give back sort rückseite kartenrücken muster gleich "
                    "gleiche farbe unterscheiden verschiedene decks unterschiedliche karten zurückgeben same "
                    "backs, two decks with the same back, whose card is whose, whose cards are these, wem gehört "
                    "die karte, gleiche rückseite, zwei gleiche decks muss die rückseite anders sein, rückseiten "
                    "müssen verschieden sein unequal decks, decks must be unlike"
                ),
            ),
            Entry(
                "deck",
                ("A8", "A9"),
                mark("Which cards belong to a deck?"),
                mark(
                    "The usual 52: ace, two, and so on up to the king, in four suits. The ace is always low. Count a "
                    "deck that has been on many tables before the first hand."
                ),
                instead=AtThisTable(
                    "layout", dict.fromkeys(OTHER_GAMES, mark("The usual 52: ace to king, in four suits."))
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
                search=(
                    "jokers stay in jokers out aces high or low with or without jokers 52 fifty-two pack "
                    "joker ace king queen jack suit rank order low high clubs spades hearts diamonds "
                    "count pack of cards composition ass könig dame bube farbe rang reihenfolge wert "
                    "kartenspiel wie viele karten hat niedrig hoch herz pik karo kreuz kartendeck ohne "
                    "joker, is the king the highest, king highest, does an ace count high, ace high or "
                    "low, highest card"
                ),
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
                search=(
                    "house rules confirm change rules sheet variant custom different rulebook book official argue "
                    "about rules decide vote majority home rules who is right about rules in the middle of the "
                    "game hausregeln regeln vereinbaren absprechen ändern änderung regelbuch offiziell wer "
                    "bestimmt abstimmen mitten im spiel we play it differently, rule we do not know, not in the "
                    "rules, can rules be changed, make up a rule, andere regeln, wir spielen anders, neue regel, "
                    "regeln ändern"
                ),
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
                search=(
                    "role who writes keep the score write down enter referee correct a typo wrong number "
                    "entered twice undo a hand anschreiber schreiber anschreiben aufschreiben rolle "
                    "schiedsrichter eintragen punkte korrigieren vertippt falsch eingetragen who is "
                    "scorekeeper, who keeps score, who writes it down, may the scorekeeper play, wer "
                    "schreibt auf, wer schreibt an, punkte aufschreiben, spectators, viewers, Zuschauer, "
                    "watcher, may others watch, who may watch"
                ),
            ),
            Entry(
                "seats",
                ("A13",),
                mark("Who sits where?"),
                mark(
                    "Everybody should reach the %(Lake)s equally well. If you sit badly, ask for a "
                    "change between two hands."
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
                search=(
                    "closer nearer seat seating sit sits reach far away arm short arms rotate table "
                    "place swap places chair circle move along clockwise sitzplatz platz sitzordnung "
                    "reichweite tauschen wechseln sitzt weit weg komme nicht hin arm plätze stuhl swap "
                    "places, who sits where, sit next to my partner, too far from the middle, plätze "
                    "tauschen, neben wem sitzen, komme nicht an die mitte reaching over, lean over the "
                    "table equal reach, playing area, middle of the table, trade places, change places, "
                    "swap places"
                ),
            ),
            Entry(
                "standing",
                ("A14",),
                mark("May I stand up, or talk to my partner?"),
                mark(
                    "Both. Standing is allowed as long as you block nobody's way to the %(Lake)s, and partners may "
                    "tell each other whatever they see."
                ),
                search=(
                    "stand stood standing up chair talk talking communicate speak help tell shout "
                    "partner tips warn stehen aufstehen im stehen reden sprechen sagen helfen partner "
                    "hinweis verraten quatschen allowed to talk, trash talk, shout advice, whisper, tell "
                    "my partner where to play, get up from the chair, walk around, darf man reden, "
                    "meinem partner etwas sagen, tipps geben team communication, communication between "
                    "partners, watch and help me, may somebody help me"
                ),
            ),
            Entry(
                "names",
                ("A12",),
                mark("Why does my family call this game something else?"),
                mark(
                    "It goes by more than forty names: Nertz, Nerts, Pounce, Racing Demon, Peanuts, Nuts, Squeal, "
                    "Scrooge, Hell, Dooker and more, each with its own word for the call and the piles. Whoever starts "
                    "a game here chooses the words, and every page uses them."
                ),
                search=(
                    "name names called call it something else other word words vocabulary alias known as what is it "
                    "the same game as wie heißt das spiel noch namen wort wörter anderer name heißen nennen spielname "
                    + " ".join(OTHER_NAMES)
                ),
            ),
            Entry(
                "history",
                ("A12",),
                mark("Where does the game come from?"),
                mark(
                    "Probably from England: card historians place it there in the 1890s, as Racing Demon. A German "
                    "book of 1927 has it as Rasender Teufel, and Americans wrote of it as Pounce in the 1930s. It is "
                    "much like the patience Canfield, played by many at once. Nobody knows who invented it."
                ),
                search=(
                    "history origin originate comes come from invented inventor invention old country england "
                    "america name mean who made geschichte herkunft ursprung woher erfunden erfinder kommt stammt "
                    "land alt england amerika how old is the game, when was it invented, seit wann gibt es das "
                    "spiel, was bedeutet nertz, what does nertz mean"
                ),
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
                instead=AtThisTable(
                    "layout",
                    {
                        Layout.NUTS: mark(
                            "Three things lie before each side: the %(Pile)s, which you want to be rid of; "
                            "beside it the %(River)s in columns; and the rest of the deck, face down, the "
                            "%(Stream)s."
                        ),
                        Layout.PISHE_PASHA: mark("One deck is dealt out to both players."),
                        Layout.DOUBLE_SOLITAIRE: mark(
                            "One deck starts the foundations and is then dealt out to both players."
                        ),
                        Layout.CANFIELD: mark("One deck is laid out by one player."),
                    },
                ),
                house=(
                    AtThisTable(
                        "dealt",
                        {
                            (Layout.NERTZ, SEVERAL): mark(
                                "%(pile_size)s cards in the %(Pile)s, %(river)s in the %(River)s, and the other "
                                "%(stream)s in the %(Stream)s."
                            ),
                            (Layout.NERTZ, ONE): mark(
                                "1 card in the %(Pile)s, %(river)s in the %(River)s, and the other %(stream)s in "
                                "the %(Stream)s."
                            ),
                            (Layout.NUTS, SEVERAL): mark(
                                "%(pile_size)s cards in the %(Pile)s, %(table_cards)s in %(river)s columns of "
                                "the %(River)s (%(columns)s, the top card of each face up), and the other "
                                "%(stream)s in the %(Stream)s."
                            ),
                            (Layout.NUTS, ONE): mark(
                                "1 card in the %(Pile)s, %(table_cards)s in %(river)s columns of the %(River)s "
                                "(%(columns)s, the top card of each face up), and the other %(stream)s in the "
                                "%(Stream)s."
                            ),
                            (Layout.PISHE_PASHA, SEVERAL): mark("%(pile_size)s cards for each player, face down."),
                            (Layout.DOUBLE_SOLITAIRE, SEVERAL): mark(
                                "%(foundation)s foundation cards face up in the middle, and %(pile_size)s cards "
                                "for each player."
                            ),
                            (Layout.CANFIELD, SEVERAL): mark(
                                "%(pile_size)s cards face up in one pile, %(foundation)s foundation card, "
                                "%(river)s piles of one card, and the other %(stream)s in the stock."
                            ),
                            (Layout.CANFIELD, ONE): mark(
                                "1 card face up in one pile, %(foundation)s foundation card, %(river)s piles of "
                                "one card, and the other %(stream)s in the stock."
                            ),
                        },
                        mark("Layout"),
                    ),
                ),
                search=(
                    "setup deal thirteen eleven five columns four size 13 35 how many cards aufbau geben "
                    "auslegen dreizehn spalten wie viele karten how many cards in the nertz pile, cards "
                    "in a pile, wie viele karten hat der stapel, wie viele karten kommen in den stapel, "
                    "how many cards do I start with, how many cards in the Nertz pile, wie viele Reihen, "
                    "how many columns, how many rows, Nertz pile, what is the Nertz pile, size of the "
                    "Nertz pile"
                ),
            ),
            Entry(
                "deal-order",
                ("B7", "K5"),
                mark("How do I deal, and in which order?"),
                mark(
                    "Each side deals its own deck: the %(Pile)s, then the %(River)s beside it, or the "
                    "other way round. What is left is the %(Stream)s. Books disagree on the order, and "
                    "after a good shuffle it makes no difference. Count the %(Pile)s aloud, so that "
                    "nobody starts with a card too many."
                ),
                instead=AtThisTable(
                    "layout",
                    {
                        Layout.NUTS: mark(
                            "You deal for the other pair, and they deal for you. Count the %(Pile)s aloud, "
                            "so that nobody starts with a card too many."
                        )
                    },
                ),
                search=(
                    "dealing deal dealt dealer distribute give out order hand out lay out set up start "
                    "geben austeilen verteilen kartengeber reihenfolge aufbauen wie teilt man aus how to "
                    "deal the cards, who deals, dealer deals first, wie werden die karten ausgeteilt, "
                    "wer gibt, was zuerst geben, wer gibt, who deals, dealer, Vorhand"
                ),
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
                search=(
                    "turn over up hidden visible open face squared see top card turned aufdecken verdeckt offen "
                    "umgedreht oberste karte sichtbar wie liegt is the pile face up, see the cards in my pile, "
                    "liegt der stapel offen oder verdeckt, nächste karte vom stapel aufdecken what is the nertz "
                    "pile"
                ),
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
                search=(
                    "shuffling mix mixing cut cutting riffle overhand times neighbour neighbor opponent "
                    "badly enough how often seven round robin mischen gemischt abheben nachbar wie oft "
                    "gut genug gegner schlecht durchmischen how many times to shuffle, not shuffled "
                    "well, shuffle between hands, someone else shuffles my deck, wie oft muss ich "
                    "mischen, wer mischt shuffle after each hand, mischen nach jeder runde, Mischregel, "
                    "shuffling your own deck"
                ),
            ),
            Entry(
                "go",
                ("B9",),
                mark("When does a hand begin?"),
                mark(
                    "When every side has said that it is ready and one person, always the same for that hand, calls "
                    "Go. A card played before Go goes back."
                ),
                search=(
                    "started before go starts before everyone is ready ready steady start begin "
                    "beginning starts starting early too soon jump the gun false start signal countdown "
                    "say go who starts who goes first who begins los fertig bereit anfang anfangen "
                    "beginnen beginnt startet fehlstart zu früh signal kommando wer fängt an wann geht "
                    "es los who says go, when do we start, when can i start, may i start already, ready "
                    "set go, who begins, wer sagt los, wann geht es los, darf ich schon anfangen, wer "
                    "darf anfangen karte zu früh gelegt, played too early, vor dem los gelegt, decide "
                    "who starts, who starts"
                ),
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
                search=(
                    "before start peek look rearrange reorder shield hide observe prepare plan study swap columns "
                    "ahead wait vorher vor dem start schauen ansehen anschauen verdecken verstecken umordnen "
                    "umsortieren vorbereiten planen look at my cards before go, swap cards before the start, sort "
                    "my columns before, karten vor dem start tauschen sortieren may i cover my cards observing "
                    "the opponents, observing opponents"
                ),
            ),
            Entry(
                "holding",
                ("B12",),
                mark("May I hold my piles in my hand?"),
                mark(
                    "Yes, before and during play, as long as everybody can see the top card and roughly how many cards "
                    "are left."
                ),
                search=(
                    "hold holding held hand lift pick up in hand visible show table lap halten gehalten in der "
                    "hand hochnehmen nehmen aufnehmen sichtbar schoß pile in my hand, hold the stock in my hand, "
                    "does the pile stay on the table, stapel in die hand, karten in der hand halten, auf dem "
                    "tisch liegen lassen"
                ),
            ),
        ),
    ),
)
