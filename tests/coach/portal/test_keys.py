"""One's own keys go with the account, on every page that has some (WCAG 2.1.4)."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from coach.accounts.models import User
from coach.accounts.services import set_shortcuts
from coach.audit.models import Entry
from coach.feedback.models import Feedback
from coach.lib.pages.shortcuts import (
    GROUPS,
    SHORTCUTS,
    KeyTaken,
    UnknownKey,
    chosen_keys,
    keys_of,
    typed_key,
)
from coach.portal.profile.key_views import OF_COACHES, OF_EVERYBODY, OF_STUDIES
from tests.coach.conftest import SignIn


def test_the_usual_keys_are_each_anothers() -> None:
    assert chosen_keys({name: each.key for name, each in SHORTCUTS.items()}) == {}


def test_what_differs_is_kept_and_an_act_may_have_none() -> None:
    own = chosen_keys({"accept": "Y F2", "undo": "", "reason": "9"})
    assert own == {"accept": "y F2", "undo": ""}
    assert keys_of(SHORTCUTS["accept"], own) == ("y", "F2")
    assert keys_of(SHORTCUTS["undo"], own) == ()
    assert keys_of(SHORTCUTS["reason"], {"reason": "9"}) == ("1", "2", "3", "4", "5", "6")
    # Two acts that change places take nobody's key.
    assert chosen_keys({"accept": "x", "reject": "a"}) == {"accept": "x", "reject": "a"}


@pytest.mark.parametrize("key", ["Control+a", "Shift+a", "Escape", "abc", "Shift+"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(UnknownKey):
        chosen_keys({"accept": key})


def test_keys_may_be_typed_as_they_stand_on_the_keyboard() -> None:
    assert chosen_keys({"up": "⇧↑", "play": "Space K", "step-back": "←"}) == {}
    assert chosen_keys({"up": "⇧↓"}, ["player"]) == {}
    with translation.override("fr"):
        assert chosen_keys({"play": "Espace k"}) == {}


def test_a_trainee_reads_no_key_of_the_desk_and_no_name_of_a_program(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    page = reverse("portal:keys")
    of_trainee = sign_in(trainee).get(page).content.decode()
    assert 'name="step-back" value="←"' in of_trainee
    assert 'name="accept"' not in of_trainee
    assert 'name="up" value="⇧↑"' in sign_in(coach).get(page).content.decode()
    # The desk's keys are in nobody's way who has no desk.
    assert sign_in(trainee).post(page, {"play": "a"}).status_code == 302
    trainee.refresh_from_db()
    assert trainee.shortcuts["keys"] == {"play": "a"}


def test_a_key_does_one_thing() -> None:
    with pytest.raises(KeyTaken) as taken:
        chosen_keys({"accept": "x"})
    assert {act.name for act in taken.value.acts} == {"accept", "reject"}


def test_own_keys_stand_on_the_buttons_and_in_the_list_of_the_desk(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client, page = sign_in(coach), reverse("portal:keys")
    assert client.post(page, {"accept": "y", "undo": ""}).status_code == 302
    coach.refresh_from_db()
    assert coach.shortcuts["keys"] == {"accept": "y", "undo": ""}
    desk = client.get(reverse("review:desk", args=[draft.rehearsal_id])).content.decode()
    assert 'aria-keyshortcuts="y"' in desk
    assert 'data-shortcut="accept" data-key="y"' in desk
    assert 'data-shortcut="undo" data-key=""' in desk
    assert Entry.objects.get(action="accounts.keys_changed").detail["after"]["keys"] == {
        "accept": "y",
        "undo": "",
    }
    client.post(page, {"wish": "usual"})
    coach.refresh_from_db()
    assert coach.shortcuts["keys"] == {}


def test_what_could_not_be_kept_stays_in_the_fields(coach: User, sign_in: SignIn) -> None:
    refused = sign_in(coach).post(reverse("portal:keys"), {"accept": "x", "note": "z"})
    text = refused.content.decode()
    assert refused.status_code == 400
    assert "is used for two actions: accept, and reject" in text
    assert 'name="note" value="z"' in text
    coach.refresh_from_db()
    assert coach.shortcuts == {}


def test_single_keys_are_switched_off_for_the_person(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client, switch = sign_in(coach), reverse("portal:switch_keys")
    answer = client.post(switch, headers={"HX-Request": "true"})
    assert answer.status_code == 204
    desk = reverse("review:desk", args=[draft.rehearsal_id])
    assert "data-single-keys checked" not in client.get(desk).content.decode()
    client.post(switch, {"on": "yes"})
    assert "data-single-keys checked" in client.get(desk).content.decode()


def test_keys_are_named_as_they_stand_on_the_keyboard_in_ones_language() -> None:
    assert typed_key("Delete") == "Del"
    with translation.override("fr"):
        assert [typed_key(key) for key in ("Delete", "Space", "PageUp")] == [
            "Suppr",
            "Espace",
            "PgPréc",
        ]
        assert chosen_keys({"remove-coding": "Suppr X"}) == {}


def test_who_has_no_study_reads_no_keys_of_coding(
    coach: User, researcher: User, sign_in: SignIn
) -> None:
    page = reverse("portal:keys")
    assert 'name="coding-memo"' not in sign_in(coach).get(page).content.decode()
    assert 'name="accept"' in sign_in(coach).get(page).content.decode()
    assert 'name="coding-memo"' in sign_in(researcher).get(page).content.decode()


def test_it_is_said_of_each_group_whose_pages_its_keys_are_on() -> None:
    assert sorted((*OF_EVERYBODY, *OF_COACHES, *OF_STUDIES)) == sorted(GROUPS)


def test_the_voices_of_an_interview_are_in_no_trainees_way(
    trainee: User, researcher: User, sign_in: SignIn
) -> None:
    page = reverse("portal:keys")
    assert 'name="voice-join"' in sign_in(researcher).get(page).content.decode()
    client = sign_in(trainee)
    assert 'name="voice-join"' not in client.get(page).content.decode()
    # Posted by a page from before a study ended: it neither blocks the others nor is it kept.
    assert client.post(page, {"voice-join": "n", "play": "y"}).status_code == 302
    trainee.refresh_from_db()
    assert trainee.shortcuts["keys"] == {"play": "y"}


def test_keys_of_pages_that_one_does_not_have_now_are_not_forgotten(
    trainee: User, sign_in: SignIn
) -> None:
    page, client = reverse("portal:keys"), sign_in(trainee)
    set_shortcuts(user=trainee, keys={"coding-memo": "y", "accept": "F2", "play": "p"})
    client.post(page, {"play": "Space k", "back": "g"})
    trainee.refresh_from_db()
    assert trainee.shortcuts["keys"] == {"coding-memo": "y", "accept": "F2", "back": "g"}
    client.post(page, {"wish": "usual"})
    trainee.refresh_from_db()
    assert trainee.shortcuts["keys"] == {}


def test_two_acts_of_a_take_that_is_coded_have_two_keys() -> None:
    with pytest.raises(KeyTaken):
        chosen_keys({"span-in": "u"})
