"""After the game: statistics, the score sheet, files out and in, and the same table once more."""

from __future__ import annotations

import io
import re

import pytest

from scorekeeper.rules.events import HandBegun, HandDisputed, PenaltyGiven, SideLeft
from scorekeeper.rules.house import Scoring
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, Side, SideId, make_sides
from scorekeeper.store import open_log


@pytest.fixture
def evening(book, game_id):
    """Three hands and their game."""
    for number, hand in enumerate(("amy 14/0! ben 9/3", "amy 4/5 ben 20/0!", "amy 9/2 ben 5/0!")):
        book.note(game_id, HandBegun(), request_id=f"go-{number}")
        book.record_hand(game_id, parse_hand(hand), request_id=f"hand-{number}")
    return game_id


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_a_game_without_hands_has_no_statistics_yet(watcher, game_id):
    assert "there is none yet" in watcher.get(f"/g/{game_id}/statistics").text


def test_statistics_of_each_side(watcher, evening):
    words = words_of(watcher.get(f"/g/{evening}/statistics").text)
    assert "Amy 3 2 1 4.3 9.0 2.3 +14 hand 1 −6 hand 2" in words
    assert "Ben 3 2 2 9.3 11.3 1.0 +20 hand 2 +3 hand 1" in words


def test_statistics_of_each_person_of_a_team(watcher, book):
    team = Side(SideId("we"), "We", "#0072b2", members=("Amy", "Ben"))
    game = book.start_game((team, *make_sides(["Cleo"])), Rules(), request_id="team")
    book.record_hand(game, parse_hand("we 9/0! cleo 4/2"), request_id="1")
    page = watcher.get(f"/g/{game}/statistics").text
    assert "Person by person" in page
    assert "Ben 1 1 1 9.0" in words_of(page)


def test_statistics_where_nothing_is_counted(watcher, book):
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=5, scoring=Scoring.HANDS), request_id="hands")
    book.record_hand(game, parse_hand("amy!"), request_id="1")
    page = watcher.get(f"/g/{game}/statistics").text
    assert "Amy 1 1 1 1.0 – –" in words_of(page)
    assert "Good hands and bad ones" not in page


def test_everybody_over_all_games(watcher, book, evening):
    again = book.start_game(make_sides(["AMY", "Cleo"]), Rules(target=10), request_id="again")
    book.record_hand(again, parse_hand("amy 12/0! cleo 3/1"), request_id="1")
    words = words_of(watcher.get("/people").text)
    assert "Amy 2 1 4 3 2" in words
    assert "Cleo 1 0 1 0 0" in words
    assert "Ben 1 0 3 2 2" in words


def test_before_anybody_played_nobody_is_listed(watcher):
    assert "Nobody has played a hand here yet" in watcher.get("/people").text


def test_c20_the_score_sheet_has_every_hand_with_its_sum(watcher, book, evening):
    book.note(evening, HandDisputed(2, "who called?"), request_id="doubt")
    words = words_of(watcher.get(f"/g/{evening}/sheet").text)
    assert "1 +14! 14/0 14 +3 9/3 3" in words
    assert "2? −6 4/5 8 +20! 20/0 23" in words
    assert "Total 13 28" in words
    assert "13 to 100, x1 −2" in words


def test_c20_a_sheet_leaves_lines_to_go_on_by_hand(watcher, evening):
    page = watcher.get(f"/g/{evening}/sheet?empty=5").text
    assert page.count('class="blank"') == 5
    assert watcher.get(f"/g/{evening}/sheet?empty=x").status_code == 200
    assert watcher.get(f"/g/{evening}/sheet?empty=9999").text.count('class="blank"') == 40


@pytest.mark.parametrize(("asked", "columns"), [("", 4), ("?sides=7", 7), ("?sides=99", 12), ("?sides=0", 1)])
def test_c20_an_empty_sheet_for_any_table(watcher, asked, columns):
    page = watcher.get(f"/sheet{asked}").text
    assert page.count('<th scope="col">') == columns + 1
    assert page.count('class="blank"') == 14


def test_a_spreadsheet_gets_the_hands(watcher, evening):
    answer = watcher.get(f"/g/{evening}/scores.csv")
    assert answer.mimetype == "text/csv"
    assert f"nertz-{evening}.csv" in answer.headers["Content-Disposition"]
    assert answer.data.startswith(b"\xef\xbb\xbfhand,side,")
    assert answer.text.splitlines()[1] == "1,Amy,Amy,yes,14,0,14,0,0,0,0,0,0,14,0,14,14,14,"


def test_a_european_spreadsheet_gets_semicolons(watcher, evening):
    answer = watcher.get(f"/g/{evening}/scores.csv?style=semicolon")
    assert answer.data.startswith(b"\xef\xbb\xbfhand;side;")
    assert answer.text.splitlines()[1] == "1;Amy;Amy;yes;14;0;14;0;0;0;0;0;0;14;0;14;14;14;"


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        pytest.param("en", "Table of hands (CSV)", "Table of hands for Excel in Europe", id="English"),
        pytest.param("de", "Tabelle der Runden für Excel", "Tabelle der Runden (CSV)", id="German"),
    ],
)
def test_the_history_offers_both_tables_the_usual_one_first(watcher, evening, language, first, second):
    page = watcher.get(f"/g/{evening}/history", headers={"Accept-Language": language}).text
    assert 0 < page.index(first) < page.index(second)
    assert f'href="/g/{evening}/scores.csv?style=semicolon"' in page
    assert f'href="/g/{evening}/scores.csv"' in page


def upload(phone, data, name="game.json"):
    head = f'--edge\r\nContent-Disposition: form-data; name="game_file"; filename="{name}"\r\n\r\n'.encode()
    body = head + data + b"\r\n--edge--\r\n"
    return phone.post("/import", data=body, content_type="multipart/form-data; boundary=edge")


def test_a_game_goes_out_and_comes_in(client, book, evening, settings, tmp_path):
    saved = client.get(f"/g/{evening}/game.json")
    assert f"nertz-{evening}.json" in saved.headers["Content-Disposition"]
    before = book.version(evening)
    answer = upload(client, saved.data)
    assert (answer.status_code, answer.location) == (303, f"/g/{evening}")
    assert book.version(evening) == before
    assert len(book.games()) == 1

    from scorekeeper.scorebook import Scorebook

    log = open_log(f"sqlite:///{tmp_path / 'elsewhere.db'}")
    elsewhere = Scorebook(log)
    elsewhere.import_game(saved.text)
    assert elsewhere.history(evening) == book.history(evening)
    log.close()


@pytest.mark.parametrize(
    ("data", "status", "says"),
    [
        pytest.param(b"", 422, "no game of the Nertz Scorekeeper", id="an empty file"),
        pytest.param(b"\x89PNG\r\n", 422, "no game of the Nertz Scorekeeper", id="a picture"),
        pytest.param(b'{"format": "nertz-scorekeeper-game", "v": 7}', 422, "update this one", id="too new"),
        pytest.param(b'{"format": "nertz-scorekeeper-game", "v": 1', 422, "is damaged", id="cut short"),
        pytest.param(b" " * (16 * 1024 * 1024 + 1), 422, "larger than any game", id="too large"),
    ],
)
def test_what_is_no_game_is_refused_in_one_sentence(client, book, data, status, says):
    answer = upload(client, data)
    assert answer.status_code == status
    assert says in answer.text
    assert answer.text.count('class="trouble"') == 1
    assert book.games() == []


def test_a_refusal_is_said_in_german_too(client):
    answer = client.post(
        "/import", data={"game_file": (io.BytesIO(b"x"), "x")}, headers={"Accept-Language": "de"},
        content_type="multipart/form-data",
    )  # fmt: skip
    assert answer.status_code == 422
    assert "this is no game" not in answer.text


def test_without_a_file_it_says_what_to_do(client):
    assert "choose the file of a game first" in client.post("/import", data={}).text.lower()


def test_a_game_that_went_on_differently_is_left_alone(client, book, evening, tmp_path):
    from scorekeeper.scorebook import Scorebook

    log = open_log(f"sqlite:///{tmp_path / 'elsewhere.db'}")
    elsewhere = Scorebook(log)
    elsewhere.import_game(book.export_game(evening))
    elsewhere.record_hand(evening, parse_hand("amy 1/0! ben 2/1"), request_id="there")
    book.record_hand(evening, parse_hand("amy 2/0! ben 2/1"), request_id="here")
    answer = upload(client, elsewhere.export_game(evening).encode())
    log.close()
    assert answer.status_code == 409
    assert "went on differently" in answer.text
    assert len(book.game(evening).hands) == 4


@pytest.mark.parametrize("page", ["/import", "/g/{game}/rematch"])
def test_a_watcher_can_neither_read_in_nor_start_again(watcher, evening, page):
    assert watcher.get(page.format(game=evening)).location.startswith("/sign-in")
    assert watcher.post(page.format(game=evening)).status_code == 403


def test_a_rematch_is_two_taps_away(client, book, evening, photo):
    client.post(
        f"/g/{evening}/decks/ben", data={"deck": "blue", "request_id": "b", "pictures": (io.BytesIO(photo), "b.jpg")}
    )
    page = client.get(f"/g/{evening}/rematch").text
    assert page.index("Ben") < page.index("Amy")
    fields = dict(re.findall(r'name="(request_id)" value="([^"]+)"', page))
    first = client.post(f"/g/{evening}/rematch", data=fields)
    second = client.post(f"/g/{evening}/rematch", data=fields)
    assert first.status_code == 303
    assert first.location == second.location
    assert len(book.games()) == 2
    again = book.game(first.location.rpartition("/")[2])
    assert [side.name for side in again.sides] == ["Ben", "Amy"]
    assert set(again.signatures) == {"blue"}
    assert '<img class="back"' in client.get(f"{first.location}/decks").text


def test_the_history_leads_to_everything_after_the_game(client, evening):
    page = client.get(f"/g/{evening}/history").text
    for way in ("statistics", "sheet", "scores.csv", "game.json", "rematch"):
        assert f'href="/g/{evening}/{way}"' in page


@pytest.mark.parametrize("page", ["statistics", "sheet", "scores.csv", "game.json", "overlay", "overlay/now", "replay"])
def test_a_game_that_is_not_there_is_said_in_words(watcher, page):
    assert watcher.get(f"/g/nosuchgame/{page}").status_code == 404


def test_the_overlay_is_the_standings_alone(watcher, book, evening):
    page = watcher.get(f"/g/{evening}/overlay").text
    assert "Ben leads with 28 of 100 points" in words_of(page)
    assert "<header" not in page
    assert watcher.get(f"/g/{evening}/overlay/now?seen={book.version(evening)}").status_code == 204
    assert 'data-version="' in watcher.get(f"/g/{evening}/overlay/now?seen=1").text


def test_who_left_is_not_in_the_overlay(watcher, book):
    game = book.start_game(make_sides(["Amy", "Ben", "Cleo"]), Rules(), request_id="three")
    book.note(game, SideLeft(SideId("cleo")), request_id="left")
    assert "Cleo" not in watcher.get(f"/g/{game}/overlay").text


def test_the_board_tells_the_last_hand_and_draws_the_game(watcher, book, evening):
    board = watcher.get(f"/g/{evening}").text
    assert "Most points: Amy and Ben with +5" in board
    assert 'aria-label="Points over the hands: Ben 28 and Amy 13"' in board
    assert board.count('class="way"') == 2


def test_a_penalty_shows_in_the_curve(watcher, book, game_id):
    book.note(game_id, PenaltyGiven(SideId("amy"), -30, "peeked"), request_id="penalty")
    book.record_hand(game_id, parse_hand("amy 9/0! ben 4/2"), request_id="1")
    assert "Amy −21" in watcher.get(f"/g/{game_id}").text


def test_the_last_hand_shows_its_picture(client, game_id, hand, photo):
    client.post(f"/g/{game_id}/hand/lake", data={"lake": (io.BytesIO(photo), "a.jpg")})
    client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 10/3", total="24"))
    board = client.get(f"/g/{game_id}").text
    small = re.search(r'src="(/pictures/[^"]+/small)"', board)
    assert small is not None
    picture = client.get(small[1])
    assert picture.mimetype == "image/jpeg"
    assert len(picture.data) < 25_000


def test_a_television_gets_no_buttons(client, game_id):
    page = client.get(f"/g/{game_id}?tv=1").text
    assert "Record a hand" not in page
    assert 'class="board-page tv"' in page
