"""Sentences of the rules are plain text, and know how they were made."""

from __future__ import annotations

from fractions import Fraction

from scorekeeper.rules.said import Names, say, say_count


def test_a_sentence_is_a_plain_text():
    assert say("%(name)s wins with %(points)s", name="Amy", points=14) == "Amy wins with 14"


def test_the_usual_words_of_the_game_stand_in_it():
    assert say("the %(Lake)s and the %(Pile)s") == "the Lake and the Nertz pile"


def test_it_knows_how_it_was_made():
    said = say_count("%(num)s card", "%(num)s cards", 3)
    assert said == "3 cards"
    assert (said.message, said.many, said.values) == ("%(num)s card", "%(num)s cards", {"num": 3})


def test_names_are_listed_and_fractions_written_as_points():
    said = say("%(names)s share %(points)s", names=Names(["Amy", "Ben", "Cleo"]), points=Fraction(10, 3))
    assert said == "Amy, Ben and Cleo share 3⅓"


def test_a_sentence_may_stand_in_another():
    said = say("The Lake holds %(cards)s", cards=say_count("%(num)s card", "%(num)s cards", 1))
    assert said == "The Lake holds 1 card"
    assert said.values["cards"].message == "%(num)s card"
