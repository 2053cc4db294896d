"""Starting a game: presets, every house rule, sides with their people and handicaps, and rules a table keeps."""

from __future__ import annotations

import html
import io
import re

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.house import PLAY_RANGES, RULES_RANGES, Play, Rules, StuckTable, TieBreaker, Words
from scorekeeper.rules.house_notation import format_rules
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.sides import Handicap
from web.house_form import FIELDS, house_form, meaning

FORM = {"preset": "bonus", "target": "150", "lake_value": "1", "nertz_penalty": "2", "bonus": "10", "pile_size": "13"}

OTHER_RULES = Rules(
    target=80, lake_value=2, nertz_penalty=3, bonus=7, pile_size=11, jokers=2, rounds=9, rank_extras=((1, 2), (13, -1)),
    tie_breaker=TieBreaker.TIED, calls_break_ties=False, false_call=4, words=Words.POUNCE,
    note='Turn "left", then right.\n<b>No phones</b>',
    play=Play(river=5, flip=2, withholding=True, last_card=False, stuck=StuckTable.NEW_STOCK, share_piles=False),
)  # fmt: skip


def form(*names: str, **more: str) -> dict[str, object]:
    return {**FORM, "jokers": "0", "request_id": "tap", "name": list(names), **more}


def value_of(page: str, name: str) -> str:
    """What stands in the field *name* of a page, typed or chosen."""
    if typed := re.search(rf'<input name="{name}" value="([^"]*)"', page):
        return typed[1]
    if area := re.search(rf'<textarea name="{name}"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL):
        return html.unescape(area[1])
    choice = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    assert choice, name
    chosen = re.search(r'value="([^"]*)" selected', choice[0])
    assert chosen, name
    return chosen[1]


def sides_of(book, number: int = 0):
    return book.game(book.games()[number].id).sides


def test_a_game_starts_with_its_sides_and_house_rules(client, book):
    answer = client.post("/start", data=form("Amy", "The Smiths", "", "", **{"deck.1": "bicycles"}))
    assert answer.status_code == 303
    game = book.game(book.games()[0].id)
    assert [(side.id, side.name, side.deck) for side in game.sides] == [
        ("amy", "Amy", None),
        ("the-smiths", "The Smiths", "bicycles"),
    ]
    assert game.rules == Rules(target=150, bonus=10)


def test_a_side_has_the_colour_that_its_deck_is_called_by(client, book):
    own = {"deck.0": "Red bicycles", "deck.1": "GRÜN", "deck.2": "credit", "color.3": "#123456", "deck.3": "red"}
    client.post("/start", data=form("Amy", "Ben", "Cleo", "Dan", **own))
    assert [side.color for side in sides_of(book)] == ["#b3123f", "#007a59", "#009e73", "#123456"]
    assert len({side.pattern for side in sides_of(book)}) == 4


def test_known_players_sit_down_in_the_order_of_the_taps_each_in_the_own_look(client, book):
    client.post("/start", data=form("Amy", "Ben", "Cleo", **{"deck.0": "red", "people.2": "Cleo, Cy"}))
    rules = book.game(book.games()[0].id).rules
    known = {"request_id": "again", "known": ["Cleo", "Amy"], "name": ["Dan", ""]}
    assert client.post("/start", data=known).status_code == 303
    again = next(
        game
        for game in map(book.game, (each.id for each in book.games()))
        if len(game.sides) == 3 and game.sides[0].name == "Dan"
    )
    assert [(side.name, side.deck, side.members) for side in again.sides] == [
        ("Dan", None, ()), ("Cleo", None, ("Cleo", "Cy")), ("Amy", "red", ())
    ]  # fmt: skip
    assert again.sides[2].color == "#b3123f"
    assert len({(side.color, side.pattern) for side in again.sides}) == 3
    assert again.rules == rules


def test_who_played_last_sits_down_again_by_one_tap(client, book):
    client.post("/start", data=form("Amy", "Ben", "Cleo"))
    page = client.post("/start", data={"name": ["", ""], "action": "same"}).text
    assert re.findall(r'name="name" value="([^"]*)"', page) == ["Amy", "Ben", "Cleo"]
    assert "Who plays?" in client.get("/").text


def test_a_watcher_sees_nobody_to_start_a_game_with(watcher, book, game_id):
    assert "Who plays?" not in watcher.get("/").text


def test_a_double_tap_starts_one_game(client, book):
    first, second = (client.post("/start", data=form("Amy", "Ben")) for _ in range(2))
    assert first.location == second.location
    assert len(book.games()) == 1


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param(form("", "", ""), "Enter at least two names", id="nobody plays"),
        pytest.param(form("Amy", " "), "Enter at least two names", id="one plays alone"),
        pytest.param(form("Amy", "amy"), "Two sides have the name", id="two of one name"),
        pytest.param(form("Amy", "Ben", target="hundred"), "&#39;hundred&#39; is no whole", id="a target in words"),
        pytest.param(form("Amy", "Ben", target="0"), "enter what wins the game", id="K2 no target and no hands"),
        pytest.param(form("Amy", "Ben", river="9"), "River: 9 does not fit, use 3 to 7", id="B3 too wide a River"),
        pytest.param(form("Amy", "Ben", rank_extras="A2"), "such as A+2 K-1", id="C11 an extra value without a sign"),
        pytest.param(form("Amy", "Ben", deal="sideways"), "choose one of the list", id="B5 no such deal"),
        pytest.param(form("Amy", "Ben", **{"color.0": "red"}), "is no colour", id="a colour in words"),
        pytest.param(form("Amy", "Ben", **{"people.0": "A, B, C, D"}), "has 4 people", id="A3 four in a team"),
        pytest.param(
            form("Amy", "Ben", **{"people.0": "Eve", "people.1": "Eve"}), "plays twice", id="one in two teams"
        ),
        pytest.param(form("Amy", "Ben", **{"pile.0": "few"}), "enter the handicap", id="H6 a pile in words"),
        pytest.param(
            form("Amy", "Ben", **{"start.0": "200"}), "would start with 200 of 150", id="H6 a game won at once"
        ),
    ],
)
def test_a_refused_form_says_why_and_keeps_what_was_typed(client, book, fields, says):
    fields["bonus"] = "77"
    answer = client.post("/start", data=fields)
    assert answer.status_code == 422
    assert says in answer.text
    assert value_of(answer.text, "bonus") == "77"
    assert not book.games()


def test_every_reason_is_said_at_once(client):
    wrong = {"target": "x", "river": "1", "flip": "9", "start.0": "?", "color.1": "red"}
    page = client.post("/start", data=form("Amy", "Ben", **wrong)).text
    for reason in ("Play to: &#39;x&#39;", "River: 1", "Stream: 9", "&#39;?&#39; is no whole", "is no colour"):
        assert reason in page


def test_every_house_rule_can_be_set(client, book):
    assert set(FIELDS) == {*Rules.__dataclass_fields__, *Play.__dataclass_fields__} - {"play"}
    assert set(FIELDS) >= {*RULES_RANGES, *PLAY_RANGES}
    fields = {"name": ["Amy", "Ben"], "request_id": "tap", **house_form(OTHER_RULES).values}
    assert client.post("/start", data=fields).status_code == 303
    assert book.game(book.games()[0].id).rules == OTHER_RULES


@pytest.mark.parametrize("preset", [*PRESETS])
def test_a_preset_fills_the_house_rules_and_leaves_the_sides(client, book, preset):
    page = client.post("/start", data={**form("Amy", "Ben"), "action": f"use.{preset}"}).text
    expected = house_form(PRESETS[preset].rules).values
    assert {name: value_of(page, name) for name in expected} == expected
    assert 'value="Amy"' in page
    assert format_rules(PRESETS[preset].rules).replace("-", "\N{MINUS SIGN}") in page


@pytest.mark.parametrize(
    ("preset", "names", "people", "refusal"),
    [
        *(pytest.param(name, 2, 0, "", id=f"{name} for two") for name in PRESETS if name not in ("nuts", "canfield")),
        *(
            pytest.param(name, 5, 0, "", id=f"K1 {name} for five")
            for name, preset in PRESETS.items()
            if preset.rules.layout is Layout.NERTZ
        ),
        pytest.param("nuts", 2, 2, "", id="J1 Nuts for two pairs"),
        pytest.param("nuts", 2, 0, "", id="J1 Nuts for two pairs that go by one name each"),
        pytest.param("nuts", 2, 1, "Side 0 is 1 person, and Nuts is for two pairs", id="J1 Nuts for two players"),
        pytest.param("nuts", 3, 2, "Nuts is for two pairs: name two sides of two people, not 3", id="J1 three pairs"),
        pytest.param("pishe-pasha", 3, 0, "Pishe Pasha is for two players: name two, not 3", id="J5 Pishe Pasha"),
        pytest.param("double-solitaire", 4, 0, "Double Solitaire is for two players: name two, not 4", id="J5 four"),
        pytest.param("canfield", 1, 0, "", id="J5 Canfield for one"),
        pytest.param("canfield", 2, 0, "Canfield is for one player: name one, not 2", id="J5 Canfield for two"),
        pytest.param("canfield", 0, 0, "Enter the name of the player", id="J5 Canfield for nobody"),
    ],
)
def test_a_preset_starts_for_as_many_as_its_game_is_for(client, book, preset, names, people, refusal):
    values = house_form(PRESETS[preset].rules).values
    pairs = {f"people.{side}": ", ".join(f"P{side}{n}" for n in range(people)) for side in range(names)}
    sides = [f"Side {side}" for side in range(names)] or [""]
    answer = client.post("/start", data={"name": sides, "preset": preset, "request_id": "t", **pairs, **values})
    assert answer.status_code == (422 if refusal else 303)
    assert refusal in answer.text
    assert len(book.games()) == (0 if refusal else 1)


@pytest.mark.parametrize(
    ("preset", "rows"),
    [
        pytest.param("national", 4, id="K1 any number"),
        pytest.param("nuts", 2, id="J1 two pairs"),
        pytest.param("pishe-pasha", 2, id="J5 two players"),
        pytest.param("double-solitaire", 2, id="J5 two players again"),
        pytest.param("canfield", 1, id="J5 one player"),
    ],
)
def test_a_preset_begins_with_as_many_rows_as_play(client, preset, rows):
    page = client.get("/start", query_string={"preset": preset}).text
    chosen = client.post("/start", data={**form("", "", "", ""), "action": f"use.{preset}"}).text
    back = client.post("/start", data={"name": [""] * rows, "preset": preset, "action": "use.bonus",
                                       **house_form(PRESETS[preset].rules).values}).text  # fmt: skip
    assert page.count('name="name"') == chosen.count('name="name"') == rows
    assert back.count('name="name"') == 4
    assert ('value="add"' in page) == (rows == 4)
    assert ('value="remove.0"' in page) == (rows == 4)
    assert ("enter both partners" in page) == (preset == "nuts")


def test_no_name_is_lost_when_a_game_for_fewer_is_chosen(client):
    page = client.post("/start", data={**form("Amy", "", "Ben", "Cleo"), "action": "use.canfield"}).text
    assert re.findall(r'name="name" value="(\w*)"', page) == ["Amy", "Ben", "Cleo"]
    again = client.post("/start", data={"name": ["Amy"], "preset": "canfield", "action": "use.nuts",
                                        **house_form(PRESETS["canfield"].rules).values}).text  # fmt: skip
    assert re.findall(r'name="name" value="(\w*)"', again) == ["Amy", ""]
    assert value_of(again, "pattern.0") != value_of(again, "pattern.1")


@pytest.mark.parametrize(
    ("note", "says"),
    [
        pytest.param("x" * 301, "use 5 lines and 300 letters at most", id="too many letters"),
        pytest.param("a\r\nb\r\nc\r\nd\r\ne\r\nf", "use 5 lines and 300 letters at most", id="too many lines"),
        pytest.param("to the \u202eleft", "signs that can", id="signs that turn the text round"),
    ],
)
def test_a_note_that_cannot_be_printed_is_refused_and_kept(client, book, note, says):
    answer = client.post("/start", data=form("Amy", "Ben", note=note))
    assert answer.status_code == 422
    assert says in answer.text
    assert value_of(answer.text, "note") == note.replace("\r", "")
    assert not book.games()


def test_a11_a_note_of_the_table_is_typed_in_lines(client, book):
    client.post("/start", data=form("Amy", "Ben", note=" Turn left, \r\n\r\n then   right. "))
    assert book.game(book.games()[0].id).rules.note == "Turn left,\nthen right."


def test_j5_canfield_is_played_alone(client, book):
    values = house_form(PRESETS["canfield"].rules).values
    assert client.post("/start", data={"name": ["Amy", ""], "request_id": "t", **values}).status_code == 303
    assert [side.name for side in sides_of(book)] == ["Amy"]


def test_the_words_of_nuts_go_with_nuts(client):
    nuts = client.post("/start", data={**form("Amy", "Ben"), "action": "use.nuts"}).text
    assert value_of(nuts, "words") == "nuts"
    back = client.post("/start", data={**form("Amy", "Ben", preset="nuts", words="nuts"), "action": "use.bonus"}).text
    assert value_of(back, "words") == "nertz"
    own = client.post("/start", data={**form("Amy", "Ben", words="pounce"), "action": "use.national"}).text
    assert value_of(own, "words") == "pounce"


def test_a_changed_preset_says_so(client):
    page = client.post("/start", data={**form("Amy", "Ben", target="120"), "action": "show"}).text
    assert re.search(r'value="use.bonus" aria-pressed="mixed"', page)
    assert 'value="use.national" aria-pressed="false"' in page
    again = client.post("/start", data={**form("Amy", "Ben"), "action": "show"}).text
    assert 'value="use.bonus" aria-pressed="true"' in again


def test_a_preset_is_not_doubted(client):
    page = client.post("/start", data={**form("Amy", "Ben"), "action": "use.unforced-150"}).text
    assert "people usually play to" not in page


@pytest.mark.parametrize(
    ("target", "bonus", "suggests"),
    [
        pytest.param("100", "10", "people usually play to 150", id="C7 a bonus, but 100"),
        pytest.param("150", "0", "people usually play to 100", id="C7 no bonus, but 150"),
        pytest.param("150", "10", None, id="C7 as usual"),
        pytest.param("50", "10", None, id="C7 a target of the table's own is left alone"),
    ],
)
def test_the_bonus_suggests_a_target_and_forces_none(client, book, target, bonus, suggests):
    fields = form("Amy", "Ben", target=target, bonus=bonus)
    page = client.post("/start", data={**fields, "action": "show"}).text
    assert ("people usually play to" in page) == bool(suggests)
    assert suggests is None or suggests in page
    client.post("/start", data=fields)
    assert book.game(book.games()[0].id).rules.target == int(target)


def test_the_suggested_target_is_one_tap_away(client):
    page = client.post("/start", data={**form("Amy", "Ben", target="100"), "action": "target.150"}).text
    assert value_of(page, "target") == "150"
    assert value_of(page, "bonus") == "10"


def test_sides_are_added_without_end_and_removed_down_to_two(client):
    rows = client.post("/start", data={**form(*["x"] * 12), "action": "add"}).text
    assert rows.count('name="name"') == 13
    fewer = client.post("/start", data={**form("Amy", "Ben", "Cleo"), "action": "remove.1"}).text
    assert "Cleo" in fewer
    assert "Ben" not in fewer
    assert client.post("/start", data={**form("Amy", "Ben"), "action": "remove.1"}).text.count('name="name"') == 2


def test_sides_change_seats(client):
    fields = form("Amy", "Ben", "Cleo", **{"deck.2": "bicycles"})
    page = client.post("/start", data={**fields, "action": "up.2"}).text
    assert re.findall(r'name="name" value="(\w*)"', page) == ["Amy", "Cleo", "Ben"]
    assert value_of(page, "deck.1") == "bicycles"


@pytest.mark.parametrize(("number", "warns"), [(8, False), (9, True), (12, True)])
def test_k1_more_than_eight_sides_are_hinted_at_and_play_all_the_same(client, book, number, warns):
    fields = form(*[f"Side {each}" for each in range(number)])
    page = client.post("/start", data={**fields, "action": "show"}).text
    assert ("sides are many" in page) == warns
    assert client.post("/start", data=fields).status_code == 303
    board = client.get(f"/g/{book.games()[0].id}").text
    assert all(f"Side {each}" in board for each in range(number))


def test_a3_a_team_is_named_or_goes_by_its_people(client, book):
    people = {"people.0": "Ann,  Bob", "people.1": "Cleo, Dan, Eve", "people.2": ""}
    client.post("/start", data=form("", "The Smiths", "Fay", **people))
    assert [(side.name, side.members) for side in sides_of(book)] == [
        ("Ann & Bob", ("Ann", "Bob")),
        ("The Smiths", ("Cleo", "Dan", "Eve")),
        ("Fay", ()),
    ]


def test_h6_a_handicap_is_typed_where_a_game_starts(client, book):
    client.post("/start", data=form("Amy", "Ben", **{"start.1": "−20", "pile.1": "10", "per_hand.0": "+2"}))
    assert [side.handicap for side in sides_of(book)] == [Handicap(per_hand=2), Handicap(-20, 10)]


def test_rules_of_our_own_are_kept_used_and_deleted(client, book):
    fields = form("Amy", "Ben", target="120", river="5")
    kept = client.post("/start", data={**fields, "action": "save", "own_name": "Fridays"}).text
    assert "Saved as Fridays" in kept
    assert 'value="use.own.Fridays" aria-pressed="true"' in kept
    assert book.saved_rules() == {"Fridays": Rules(target=120, bonus=10, play=Play(river=5))}
    used = client.post("/start", data={**form("Amy", "Ben"), "action": "use.own.Fridays"}).text
    assert (value_of(used, "target"), value_of(used, "river")) == ("120", "5")
    gone = client.post("/start", data={**fields, "action": "forget.Fridays"}).text
    assert "use.own.Fridays" not in gone
    assert not book.saved_rules()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"action": "save", "own_name": " "}, "give your rules a name", id="without a name"),
        pytest.param({"action": "save", "own_name": "National"}, "is the name of a preset", id="a preset's name"),
        pytest.param({"action": "save", "own_name": "ours", "target": "x"}, "no whole number", id="unreadable"),
        pytest.param({"action": "import"}, "choose a file of rules", id="nothing to read in"),
        pytest.param({"action": "import", "rules_text": "13 to"}, "expected house rules", id="half a line"),
        pytest.param({"action": "use.own.gone"}, "no house rules of that name", id="rules that are gone"),
    ],
)
def test_rules_that_cannot_be_kept_or_read_say_why(client, book, fields, says):
    answer = client.post("/start", data={**form("Amy", "Ben"), **fields})
    assert answer.status_code == 422
    assert says.lower() in answer.text.lower()
    assert 'value="Amy"' in answer.text
    assert not book.saved_rules()


def test_rules_travel_by_link_by_line_and_by_file(client):
    line = format_rules(OTHER_RULES)
    expected = house_form(OTHER_RULES).values
    file = client.get("/rules.txt", query_string={"rules": line})
    assert "attachment" in file.headers["Content-Disposition"]
    upload = {"rules_file": (io.BytesIO(file.data), "nertz-rules.txt")}
    for page in (
        client.get("/start", query_string={"rules": line}).text,
        client.post("/start", data={**form("Amy", "Ben"), "action": "import", "rules_text": line}).text,
        client.post("/start", data={**form("Amy", "Ben"), "action": "import", **upload}).text,
    ):
        assert {name: value_of(page, name) for name in expected} == expected


@pytest.mark.parametrize("data", [b"\xff\xd8\xff", b"13 to 100, x1 -2\n" * 2, b"# nothing\n", b"x" * 30_000])
def test_a_file_that_is_none_of_rules_is_refused(client, data):
    upload = {"rules_file": (io.BytesIO(data), "rules.txt")}
    answer = client.post("/start", data={**form("Amy", "Ben"), "action": "import", **upload})
    assert answer.status_code == 422
    assert "no file of house rules" in answer.text


def test_a_link_to_rules_that_are_none_shows_the_usual_form(client):
    answer = client.get("/start?rules=chess")
    assert answer.status_code == 422
    assert value_of(answer.text, "target") == "100"


def test_what_the_rules_come_to_is_said_in_a_line(app):
    with app.test_request_context():
        assert meaning(Rules()).startswith("Whoever has 100 points or more at the end of a hand wins. 1 for a card")
        assert meaning(PRESETS["hands"].rules).startswith("Whoever has won 5 hands wins. The caller wins the hand")
        assert meaning(PRESETS["rounds"].rules).startswith("6 hands, then most points win.")
        assert "10 for the call" in meaning(PRESETS["bonus"].rules)
        assert "One hand at most" in meaning(PRESETS["canfield"].rules)


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_j5_the_rows_follow_the_game_that_is_chosen(phone, script):
    page = phone("/start", keeper=True, java_script_enabled=script)
    page.get_by_label("Name of side 2").fill("Ben")
    page.locator(".related > summary").click()
    page.get_by_role("button", name="Canfield").click()
    expect(page.locator("[name=name]")).to_have_count(1)
    expect(page.locator("[name=name]")).to_have_value("Ben")
    page.get_by_role("button", name="Nuts").click()
    expect(page.locator("[name=name]")).to_have_count(2)
    expect(page.get_by_label("Both partners")).to_have_count(2)
    page.get_by_role("button", name="Bonus game").click()
    expect(page.locator("[name=name]")).to_have_count(4)


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_a_phone_chooses_rules_changes_one_and_starts(phone, book, script):
    page = phone("/start", keeper=True, java_script_enabled=script)
    page.get_by_label("Name of side 1").fill("Amy")
    page.get_by_label("Name of side 2").fill("Ben")
    page.get_by_role("button", name="Bonus game").click()
    expect(page.get_by_label("Play to")).to_have_value("150")
    expect(page.get_by_label("Name of side 1")).to_have_value("Amy")
    page.locator(".all-rules > summary").click()
    page.locator("#group-table > summary").click()
    page.locator("[name=river]").fill("5")
    if not script:
        page.get_by_role("button", name="What does that come to?").click()
    expect(page.locator("#rules-sum code")).to_have_text("13+10 to 150, x1 \N{MINUS SIGN}2, River 5")
    expect(page.get_by_role("button", name="Bonus game")).to_contain_text("changed")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Start the game").click()
    expect(page).to_have_url(re.compile("/g/"))
    assert book.game(book.games()[0].id).rules == Rules(target=150, bonus=10, play=Play(river=5))


@pytest.mark.parametrize("preset", ["bonus", "nuts", "hands"])
def test_a11_a_note_that_is_typed_stays_under_other_rules(client, preset):
    typed = {**form("Amy", "Ben"), **house_form(Rules(note="No phones.")).values, "action": f"use.{preset}"}
    assert "No phones." in client.post("/start", data=typed).text


def test_k15_two_of_one_name_are_refused_in_the_language_of_the_page(client, book):
    german = {"Accept-Language": "de"}
    answer = client.post("/start", data=form("Amy", "AMY"), headers=german)
    assert answer.status_code == 422
    assert "Zwei Parteien haben den Namen" in answer.text
    assert book.games() == []
