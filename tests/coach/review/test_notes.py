"""Time-coded notes: the coach's drafts until the release, then the trainee's to read."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.feedback.models import Feedback, TimedNote
from coach.feedback.notes import (
    NoteWords,
    change_note,
    mark_of,
    notes_for_reading,
    remove_note,
    restore_note,
    standing_notes,
    write_note,
)
from coach.feedback.pages.report import report_page
from coach.feedback.releases import release_feedback
from coach.feedback.services import AlreadyReleased
from coach.feedback.undoing import take_back_last
from coach.feedback.verdicts import ChangedMeanwhile, set_word
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.review.deciding import settle


@pytest.fixture
def note(draft: Feedback, coach: User) -> TimedNote:
    """Bea's note on Ana's draft."""
    words = NoteWords(text="Your hands rest here: lovely.", start=65.25, tag="presence")
    return write_note(feedback=draft, coach=coach, words=words)


def test_the_trainee_reads_notes_at_their_times_once_released_and_not_before(
    draft: Feedback, note: TimedNote, coach: User, trainee: User
) -> None:
    before = report_page(draft.rehearsal, draft.run, reader=trainee)
    assert (before.notes, before.note_lanes) == ((), ())
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    page = report_page(draft.rehearsal, draft.run, reader=trainee)
    (read,) = page.notes
    assert (read.text, read.author, read.tag) == (note.text, "Bea", "Presence")
    assert (read.clips[0].label, read.clips[0].start, read.clips[0].end) == ("1:05", 64.25, 70.25)
    assert page.note_lanes[0].marks[0].label == "Your hands rest here: lovely. at 1:05"


def test_a_note_changes_goes_and_comes_back_with_a_trace_and_without_words_in_the_log(
    draft: Feedback, note: TimedNote, coach: User
) -> None:
    change_note(note=note, coach=coach, words=NoteWords(text="Hands rest.", start=66.0, end=70.0))
    note.refresh_from_db()
    assert (note.text, note.start, note.end, note.tag) == ("Hands rest.", 66.0, 70.0, "")
    remove_note(note=note, coach=coach)
    assert standing_notes(draft) == []
    restore_note(note=note, coach=coach)
    assert standing_notes(draft) == [note]
    acts = Entry.objects.filter(action__startswith="feedback.note_").order_by("pk")
    assert [act.action.split("_")[1] for act in acts] == [
        "written",
        "changed",
        "removed",
        "restored",
    ]
    assert (acts[1].detail["before"]["at"], acts[1].detail["after"]["at"]) == (65.25, 66.0)
    assert "Hands" not in str([act.detail for act in acts])


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (NoteWords(text="  ", start=1.0), "Write what"),
        (NoteWords(text="x", start=500.0), "within"),
        (NoteWords(text="x", start=-1.0), "within"),
        (NoteWords(text="x", start=9.0, end=9.0), "after it starts"),
    ],
)
def test_a_note_needs_words_and_a_time_inside_the_recording(
    draft: Feedback, coach: User, words: NoteWords, problem: str
) -> None:
    with pytest.raises(ValidationError, match=problem):
        write_note(feedback=draft, coach=coach, words=words)


def test_released_notes_never_change(draft: Feedback, note: TimedNote, coach: User) -> None:
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    draft.refresh_from_db()
    with pytest.raises(AlreadyReleased):
        remove_note(note=note, coach=coach)
    with pytest.raises(AlreadyReleased):
        write_note(feedback=draft, coach=coach, words=NoteWords(text="x", start=1.0))
    assert [each.text for each in notes_for_reading(draft)] == [note.text]


def test_at_the_desk_a_note_is_kept_with_its_exact_time_and_the_panel_comes_back(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    add = reverse("review:add_note", args=[draft.rehearsal_id])
    client, htmx = sign_in(coach), {"HX-Request": "true"}
    typed = {"text": "Slower here?", "start": "1:05", "start_exact": "65.480", "end": "1:09"}
    page = client.post(add, typed, headers=htmx).content.decode()
    note = draft.notes.get()
    assert (note.start, note.end) == (65.48, 69.0)
    assert "Slower here?" in page
    assert 'id="lane-notes"' in page
    # Another time was typed since: what was marked before no longer counts.
    change = reverse("review:change_note", args=[draft.rehearsal_id, note.pk])
    client.post(change, {**typed, "start": "1:01"}, headers=htmx)
    note.refresh_from_db()
    assert note.start == 61.0
    refused = client.post(add, {"text": "x", "start": "soon"}, headers=htmx).content.decode()
    assert "minutes and seconds" in refused
    remove = reverse("review:remove_note", args=[draft.rehearsal_id, note.pk])
    assert "Restore the note" in client.post(remove, headers=htmx).content.decode()
    client.post(remove, {"wish": "restore"})
    assert standing_notes(draft) == [note]


def test_whoever_has_not_got_the_take_changes_no_note(
    draft: Feedback, note: TimedNote, stranger: User, trainee: User, sign_in: SignIn
) -> None:
    for person in (stranger, trainee):
        for name in ("change_note", "remove_note"):
            url = reverse(f"review:{name}", args=[draft.rehearsal_id, note.pk])
            assert sign_in(person).post(url, {"text": "x", "start": "1"}).status_code == 404
    note.refresh_from_db()
    assert (note.text, note.removed_at) == ("Your hands rest here: lovely.", None)


def test_acts_on_notes_are_taken_back_one_by_one(
    draft: Feedback, note: TimedNote, coach: User, sign_in: SignIn
) -> None:
    words = NoteWords(text="Other words.", start=80.0)
    change_note(note=note, coach=coach, words=words)
    remove_note(note=note, coach=coach)
    undo = reverse("review:undo", args=[draft.rehearsal_id])
    page = sign_in(coach).post(undo, headers={"HX-Request": "true"}).content.decode()
    assert 'id="notes" hx-swap-oob' in page
    assert standing_notes(draft)[0].text == "Other words."
    take_back_last(feedback=draft, coach=coach)
    back = standing_notes(draft)[0]
    assert (back.text, back.start, back.tag) == ("Your hands rest here: lovely.", 65.25, "presence")
    take_back_last(feedback=draft, coach=coach)
    assert standing_notes(draft) == []


def test_an_older_window_overwrites_no_note_until_its_coach_says_so(
    draft: Feedback, note: TimedNote, coach: User, sign_in: SignIn
) -> None:
    change = reverse("review:change_note", args=[draft.rehearsal_id, note.pk])
    client, htmx = sign_in(coach), {"HX-Request": "true"}
    desk = reverse("review:desk", args=[draft.rehearsal_id])
    seen = re.findall(r'name="seen" value="(\w{16})"', client.get(desk).content.decode())
    older = {"text": "Hands!", "start": "1:05", "seen": seen[0]}
    client.post(change, {**older, "text": "Both hands rest."}, headers=htmx)
    told = client.post(change, older, headers=htmx).content.decode()
    note.refresh_from_db()
    assert note.text == "Both hands rest."
    assert "in another window: “Both hands rest.”" in told
    assert "not saved yet: “Hands!”" in told
    box = told.split("conflict", 1)[1].split("</form>")[0]
    again = dict(re.findall(r'name="(\w+)" value="([^"]*)"', box))
    remove_note(note=note, coach=coach)  # and a third window has removed it by now
    assert "data-problem" in client.post(change, again, headers=htmx).content.decode()
    note.refresh_from_db()
    client.post(change, {**again, "over": mark_of(note)}, headers=htmx)
    assert [each.text for each in standing_notes(draft)] == ["Hands!"]
    take_back_last(feedback=draft, coach=coach)
    assert standing_notes(draft) == []


def test_a_change_that_is_refused_stays_in_its_form(
    draft: Feedback, note: TimedNote, coach: User, sign_in: SignIn
) -> None:
    change = reverse("review:change_note", args=[draft.rehearsal_id, note.pk])
    typed = {"text": "A long thought.", "start": "99:00"}
    page = sign_in(coach).post(change, typed, headers={"HX-Request": "true"}).content.decode()
    assert "Choose a moment within the recording." in page
    assert "data-note-edit open" in page
    assert "A long thought.</textarea>" in page


def test_who_wrote_over_a_note_is_named_and_not_who_wrote_another(
    draft: Feedback, note: TimedNote, coach: User
) -> None:
    dora = UserFactory(name="Dora", roles=[Role.COACH])
    seen, words = [mark_of(note)], NoteWords(text="Hands!", start=65.0)
    change_note(note=note, coach=dora, words=NoteWords(text="They rest.", start=65.0))
    write_note(feedback=draft, coach=coach, words=NoteWords(text="A pause.", start=9.0))
    take_back_last(feedback=draft, coach=coach)
    with pytest.raises(ChangedMeanwhile) as refused:
        change_note(note=note, coach=coach, words=words, known=seen)
    assert refused.value.by is not None
    assert refused.value.by.coach == dora
    change_note(note=note, coach=coach, words=words)
    take_back_last(feedback=draft, coach=coach)
    note.refresh_from_db()
    assert note.text == "They rest."
    with pytest.raises(ChangedMeanwhile) as refused:
        change_note(note=note, coach=dora, words=words, known=seen)
    assert refused.value.by.coach == coach, "who took a change back was there last"


def test_who_wrote_over_the_word_is_named_and_not_who_took_back_a_note(
    draft: Feedback, note: TimedNote, coach: User
) -> None:
    dora = UserFactory(name="Dora", roles=[Role.COACH])
    set_word(feedback=draft, coach=dora, text="Well done.")
    take_back_last(feedback=draft, coach=coach)
    with pytest.raises(ChangedMeanwhile) as refused:
        set_word(feedback=draft, coach=coach, text="Bravo.", known=[""])
    assert refused.value.by is not None
    assert refused.value.by.coach == dora
