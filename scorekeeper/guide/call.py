"""What the guide says of the call and of counting."""

from __future__ import annotations

from scorekeeper.guide.entry import OTHERWISE, AtThisTable, Entry, Topic
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Scoring

TOPICS = (
    Topic(
        "calling",
        mark("The call"),
        (
            Entry(
                "must-call",
                ("G1", "K4"),
                mark("My %(Pile)s is gone. Must I call?"),
                mark("Until somebody calls, the hand goes on, and somebody else may call first."),
                house=(
                    AtThisTable(
                        "call_at_once",
                        {
                            True: mark("a side whose %(Pile)s is gone must call at once."),
                            False: mark(
                                "you may wait with the call and play on. An empty %(Pile)s without a call earns "
                                "nothing."
                            ),
                        },
                        mark("The call"),
                    ),
                ),
                search=(
                    "say it as soon as i'm out call calling mandatory have to say nertz wait waiting "
                    "delay delayed forgot forget to call shout out loud empty pile gone last nertz card "
                    "played finished my pile obliged keep playing quiet secretly muss ich rufen sagen "
                    "warten ansagen leer weg pflicht vergessen weiterspielen weiter spielen stapel ist "
                    "alle aufgebraucht do i have to call, have to say it, when must i shout, i have no "
                    "cards left in my pile, i was out but said nothing, my partner has to call, muss ich "
                    "sofort rufen, ich habe keine karten mehr, nicht gerufen muss ich sofort nertz "
                    "rufen, say nertz at once pile is empty but i want more points sofort nertz rufen "
                    "when to call, rufen, calling nertz, must I call, must call, muss man rufen, keep "
                    "playing after my pile is empty, my pile is empty may I keep playing, darf der "
                    "Partner auch rufen, Partner darf rufen"
                ),
            ),
            Entry(
                "legal-call",
                ("C15",),
                mark("When does a call count?"),
                mark(
                    "When the caller's %(Pile)s is empty at that moment and its last card lies where it may lie. The "
                    "table looks before anybody gathers cards; then the call is entered."
                ),
                search=(
                    "verification of the call verify verified valid legal count counts counted check checked "
                    "really empty proof correct call prüfen geprüft kontrollieren gültig gilt zählt ansage was "
                    "the call right, is the call valid, check the call, who checks, call not allowed, war der ruf "
                    "richtig, ruf prüfen, gilt der ruf"
                ),
            ),
            Entry(
                "stop",
                ("G2",),
                mark("What happens when somebody calls %(Call)s?"),
                mark("Play stops at once for everybody. Hands off the cards until the call is checked."),
                search=(
                    "stop stops stopped end of the hand freeze shout hands off finish playing after the call "
                    "somebody says nertz hand over round over what happens then stopp anhalten aufhören ende der "
                    "runde halt hände weg jemand ruft ruf danach was passiert kept playing after the call, took "
                    "too long to stop, do we stop at once, play on after nertz, someone shouted nertz what now, "
                    "weitergespielt nach dem ruf, hört nicht auf, sofort aufhören, jemand hat nertz gerufen when "
                    "is a hand over, when does a round end, wann ist eine runde zu ende, wann endet die runde"
                ),
            ),
            Entry(
                "last-card",
                ("G3", "K18"),
                mark("I had a card on its way when the call came. Does it count?"),
                mark(
                    "Some let a card that was already moving towards its place count; what you only notice after the "
                    "call never counts."
                ),
                house=(
                    AtThisTable(
                        "last_card",
                        {
                            True: mark("one card already on its way counts."),
                            False: mark("nothing counts after the call, not even a card in the air."),
                        },
                        mark("Last card"),
                    ),
                ),
                search=(
                    "card i was just going to play die ich gerade legen wollte zählt die karte noch last card in "
                    "hand moving air in the air mid on its way already late after the call finish my move was "
                    "about to nearly almost letzte karte in der hand in der luft unterwegs zu spät nach dem ruf "
                    "noch fast gerade noch ablegen card in my hand when nertz is called, card in the air, already "
                    "moving, may i still put it down, too late to play, karte noch in der hand, darf ich die "
                    "karte noch legen, war schon unterwegs last card rule"
                ),
            ),
            Entry(
                "two-calls",
                ("C8", "C9", "C10"),
                mark("Two of us called at the same time. Who gets it?"),
                mark(
                    "If one was first, the table says who. If it truly was the same moment, both are "
                    "entered as callers and share equally what the call brings. With three or more the "
                    "table may vote other shares of a bonus; together they must come to the whole bonus."
                ),
                search=(
                    "both say they were first to call two three several calls callers simultaneous tie "
                    "call called same time same moment at once both said shouted nertz together split "
                    "share vote bonus who called first zwei drei mehrere rufe rufen gleichzeitig "
                    "zugleich teilen aufteilen abstimmen wer hat zuerst gerufen beide gerufen two people "
                    "called, both called at the same time, two have called, who was first to call, share "
                    "the bonus, zwei haben gleichzeitig gerufen, wer hat zuerst gerufen, bonus teilen, "
                    "callers, several callers, callers call"
                ),
            ),
            Entry(
                "false-call",
                ("H5", "L"),
                mark("Somebody called by mistake. What now?"),
                mark(
                    "The call does not count. Everybody picks up where they left off, and somebody says "
                    "when play goes on."
                ),
                house=(
                    AtThisTable(
                        "false_call",
                        {
                            0: mark("a false call costs nothing, unless the table enters a penalty."),
                            OTHERWISE: mark("a false call takes %(false_call)s off the score."),
                        },
                        mark("False call"),
                    ),
                ),
                search=(
                    "false accidental accidentally wrong wrongly mistaken call called too early by "
                    "mistake still had cards left premature penalty invalid liar falscher ruf "
                    "versehentlich aus versehen falsch gerufen zu früh gerufen irrtum strafe noch karten "
                    "fehlalarm ungültig called too early, wrong call, i called by mistake, what does a "
                    "false call cost, called nertz with cards left, falsch gerufen, zu früh gerufen, "
                    "hatte noch karten i called but had cards, partner had cards, doch noch karten "
                    "called but had cards left my partner had cards left when i called, fake call, "
                    "yelled too soon, call with one card left, say Nertz with one card left, fake Nertz"
                ),
            ),
            Entry(
                "caller-best",
                ("C13", "C14"),
                mark("Does the caller win the hand?"),
                mark(
                    "Not by the call alone. The caller has nothing left to lose points for and counts the %(Lake)s "
                    "like everybody, but another side may have put more cards there."
                ),
                instead=AtThisTable(
                    "counts", {False: mark("Yes: whoever calls wins the hand, and no cards are counted.")}
                ),
                search=(
                    "does the one who says nertz always win winner win wins winning hand best most points caller "
                    "always lose called but gewinner sieger gewinnt gewonnen meiste punkte rufer automatisch hand "
                    "runde who wins the hand, win the round, does calling win, wer gewinnt die runde, gewinnt wer "
                    "ruft"
                ),
            ),
            Entry(
                "log-calls",
                ("G4", "D4"),
                mark("Why is it written down who called?"),
                mark(
                    "A call can bring a bonus, win a hand or break a tie, as the house rules say. It is "
                    "kept even where it is worth nothing by itself."
                ),
                search=(
                    "log record statistics write written note who called number of calls aufschreiben notieren "
                    "protokoll statistik wer gerufen hat why write down the caller, why note who called, warum "
                    "wird der ruf notiert"
                ),
            ),
        ),
    ),
    Topic(
        "scoring",
        mark("Counting"),
        (
            Entry(
                "score",
                ("C1", "C2", "C3", "C5"),
                mark("How is a hand scored?"),
                mark(
                    "Count your cards in the %(Lake)s, then take off for every card still in your %(Pile)s. An example "
                    "with one point and two off: 15 in the %(Lake)s and 10 left make 15 − 20 = −5."
                ),
                instead=AtThisTable(
                    "scoring",
                    {
                        Scoring.HANDS: mark("No cards are counted: a hand is won or lost."),
                        Scoring.LEFTOVERS: mark("Only the side that is done first scores."),
                        Scoring.FOUNDATION: mark("The cards on the foundations are counted."),
                    },
                ),
                house=(
                    AtThisTable(
                        "scoring",
                        {
                            Scoring.POINTS: mark(
                                "%(lake_value)s for each card in the %(Lake)s, %(nertz_penalty)s "
                                "off for each card left."
                            ),
                            Scoring.HANDS: mark("whoever calls wins the hand; cards are not counted."),
                            Scoring.LEFTOVERS: mark(
                                "whoever is done first scores %(lake_value)s for each card somebody else has left."
                            ),
                            Scoring.FOUNDATION: mark("%(lake_value)s for each card on the foundations, nothing else."),
                        },
                        mark("Score"),
                    ),
                ),
                search=(
                    "score scores scoring scored points point worth value count each card formula plus "
                    "minus two reckon calculate add subtract deduct how many points do i get middle left "
                    "over punkte punkt wert wertung werten zählen zählt rechnen berechnen abrechnung "
                    "abzug abziehen minus plus punkte zählen jede karte wie viele punkte bekommt man "
                    "punktwertung how does scoring work, how do we score, one point per card, points for "
                    "cards in the middle, points per card, add up the points, wie werden punkte gezählt, "
                    "wie zählt man, punkte pro karte, was zählt eine karte in der mitte, punktewertung, "
                    "abrechnen how much is a card worth, how much is each card worth scored a hand, "
                    "score a hand, punkte zählen punkte zählen, gezählte punkte, what does a card left "
                    "cost, minus two, minus two for each card left, two off, was kostet eine übrige "
                    "Karte"
                ),
            ),
            Entry(
                "bonus",
                ("C6", "C7", "K3"),
                mark("Is the call worth points?"),
                mark(
                    "Some tables give nothing, many give ten. With a bonus games go faster, so people usually play to "
                    "a higher target, often 150."
                ),
                house=(
                    AtThisTable(
                        "bonus",
                        {
                            0: mark("there is no bonus for the call."),
                            1: mark("the call is worth 1 point."),
                            OTHERWISE: mark("the call is worth %(bonus)s points."),
                        },
                        mark("Bonus"),
                    ),
                ),
                search=(
                    "bonus fürs beenden bonus for finishing bonus ten 10 extra points reward call calling out "
                    "first how many points for nertz get for saying going out finishing first bonus zehn punkte "
                    "extra prämie belohnung fürs rufen für den ruf ausmachen wie viele punkte gibt es für nertz "
                    "bonuspunkte points for calling, is there a bonus, extra for the caller, how much is the call "
                    "worth, gibt es einen bonus, was bringt der ruf, punkte für den ruf points for the winner of "
                    "the hand, was bringt es nertz zu rufen bonus for calling, call bonus, bonus punkte für den "
                    "ruf"
                ),
            ),
            Entry(
                "negative",
                ("C4",),
                mark("Can a score be below zero?"),
                mark(
                    "Yes, in one hand and in the whole game, wherever cards left cost more than the "
                    "%(Lake)s brings. It is nothing unusual."
                ),
                instead=AtThisTable(
                    "counts", {False: mark("Not by a hand: a hand is won or lost, and cards left cost nothing.")}
                ),
                search=(
                    "minus negative below less than zero under nothing go down lose minus minuspunkte negativ "
                    "unter null weniger als null punkte verlieren can i have less than zero, negative points, "
                    "score below zero, i have minus twelve, can points be negative, kann man minus haben, "
                    "minuspunkte, ins minus"
                ),
            ),
            Entry(
                "non-caller",
                ("C12",),
                mark("Who counts cards left in the %(Pile)s?"),
                mark(
                    "Every side that did not call. The caller has none by definition; whoever emptied the pile without "
                    "calling has none either."
                ),
                instead=AtThisTable("counts", {False: mark("Nobody: no cards are counted.")}),
                search=(
                    "lose points for cards left over left over remaining remain unplayed cards still in the pile "
                    "count who subtract counts leftover penalty two off each übrig übrige rest restliche zählen "
                    "liegen geblieben restkarten wer zählt minus zwei cards left in my pile, count what is left, "
                    "cards i did not get rid of, was ist mit übrigen karten, karten im stapel zählen"
                ),
            ),
            Entry(
                "counting",
                ("C16",),
                mark("How do we count after a hand?"),
                mark(
                    "One person gathers the %(Lake)s, turns it over and deals the cards back by their backs; every "
                    "side counts its own. Take the photos before that: the %(Lake)s as it lies, then turned over and "
                    "spread. Count everything before anybody mixes cards back into a deck."
                ),
                instead=AtThisTable("counts", {False: mark("No cards are counted: enter who called.")}),
                search=(
                    "count the cards at the end how to count count counting counted up gather collect "
                    "sort sorting tally photo picture photograph camera procedure after the hand end of "
                    "round separate the cards give back clean up zählen auszählen einsammeln sammeln "
                    "sortieren foto bild fotografieren kamera aufräumen nach der runde trennen "
                    "auseinander do i count my own cards, who counts, sort the cards after the hand, "
                    "give the cards back, how to sort out the middle, wer zählt, karten sortieren, wie "
                    "wird gezählt, karten zurückgeben"
                ),
            ),
            Entry(
                "writing",
                ("C17", "C18", "C20"),
                mark("Can we keep score without a camera, or on paper?"),
                mark(
                    "Yes. Every number can be typed, and one number for each side is enough. Hands are added up and "
                    "kept one by one; the pages can be printed, and a sheet of paper with the same columns works too."
                ),
                search=(
                    "paper pen pencil sheet score sheet scorecard type manual manually without phone total print "
                    "printed history by hand offline no camera papier blatt zettel stift punktezettel drucken "
                    "ausdrucken eintippen eingeben ohne kamera ohne handy von hand block keep score on paper, "
                    "print a score sheet, without a phone, ohne handy zählen, mit zettel und stift, punktezettel "
                    "how to keep score"
                ),
            ),
            Entry(
                "extra-values",
                ("C11",),
                mark("Are some cards worth more?"),
                mark(
                    "Only if the table says so: any rank may carry extra points. Then its cards are counted separately."
                ),
                house=(
                    AtThisTable(
                        "extras",
                        {
                            "": mark("every card is worth the same."),
                            None: "",
                            OTHERWISE: mark("some ranks are worth more or less than others: %(extras)s."),
                        },
                        mark("Extra value"),
                    ),
                ),
                search=(
                    "king value ace special cards worth more points different high cards double extra values "
                    "könig wert ass besondere karten mehr wert sonderwert extrapunkte doppelt are kings worth "
                    "more, extra for kings, do aces count more, face cards worth, picture cards, ist der könig "
                    "mehr wert, zählen bilder mehr"
                ),
            ),
            Entry(
                "half-points",
                ("C9", "L"),
                mark("Why does the board show half points?"),
                mark(
                    "A bonus shared by several callers does not always come out even. Points are kept exactly and "
                    "shown as 2.5 or 3⅓, never rounded. If you dislike that, type the shares you have agreed on."
                ),
                search=(
                    "half halves third thirds fraction fractions decimal odd point five 2.5 rounding round "
                    "rounded halbe halber bruch brüche komma kommazahl drittel ungerade runden why half a point, "
                    "points do not come out even, warum halbe punkte, dezimalpunkte"
                ),
            ),
            Entry(
                "dispute",
                ("H7",),
                mark("We do not agree on a score. Who is right?"),
                mark(
                    "Look at the hand with its pictures and numbers, and count again while the cards still lie. What "
                    "the rules card says settles it; if it says nothing, the table votes. A wrong hand is corrected, "
                    "and the history keeps both versions."
                ),
                search=(
                    "dispute disputed disagree argue argument quarrel wrong score wrong count miscounted "
                    "settle protest complaint count again recount who is right not fair streit streiten "
                    "uneinig uneinigkeit falsch gezählt verzählt nachzählen einspruch protest stimmt "
                    "nicht wer hat recht unfair we can't agree, score is wrong, who is right, "
                    "disagreement about who won, counted wrong, stimmt der punktestand, wir sind uns "
                    "nicht einig, punktestand stimmt nicht, ergebnis falsch, found a mistake, mistake "
                    "when counting, mistake found while counting, somebody miscounted, dispute over a "
                    "call"
                ),
            ),
        ),
    ),
)
