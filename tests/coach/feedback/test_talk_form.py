"""Three questions before a talk is analysed; nothing is answered for anybody unsaid."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from coach.accounts.models import Cohort, Language, User
from coach.accounts.services import set_language
from coach.feedback.forms import CorrectionForm, TalkForm, WaitingForm
from coach.feedback.runs.drafting import context_of
from coach.rehearsals.models import Rehearsal, Upload
from coach.uploads.forms import NewRehearsalForm
from coach.uploads.services import finish_upload
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, arrived, finish_analysis, make_report


def test_three_questions_are_asked_and_nothing_of_them_is_preset() -> None:
    form = NewRehearsalForm()
    assert [field.name for field in form.asked] == ["aim", "audience", "goal"]
    assert not any(field.value() for field in form.asked)
    assert form["language"].value() == "auto"


def test_what_is_taken_for_granted_is_said() -> None:
    assert TalkForm().as_it_stands == (
        "In front of a camera · language detected automatically · no time limit"
    )
    again = TalkForm(initial={"setting": "stage", "language": "fr", "time_limit_minutes": 2.5})
    assert again.as_it_stands == "On a stage, in a room · French · time limit 2.5 min"
    with translation.override("fr"):
        assert again.as_it_stands.endswith("durée prévue\u00a0: 2,5 min")
        whole = TalkForm(initial={"time_limit_minutes": 2.0})
        assert whole.as_it_stands.endswith("\u00a0: 2 min")


@pytest.mark.parametrize(
    ("typed", "said"), [("2.5", "2,5"), ("12", "12"), ("2 min.", "2 min."), ("12.30.1", "12.30.1")]
)
def test_a_limit_that_was_typed_is_set_as_the_language_does(typed: str, said: str) -> None:
    with translation.override("fr"):
        again = TalkForm(data={"time_limit_minutes": typed})
        assert again.as_it_stands.endswith(f"durée prévue\u00a0: {said} min")


@pytest.mark.parametrize("form", [TalkForm, CorrectionForm, WaitingForm, NewRehearsalForm])
def test_every_form_of_a_talk_shows_each_of_its_questions_once(form: type[TalkForm]) -> None:
    shown = form()
    names = [field.name for field in (*shown.asked, *shown.more)]
    apart = {"title", "recording"} & shown.fields.keys()
    assert sorted(names) == sorted({f.name for f in shown.visible_fields()} - apart)


def test_an_answer_that_is_missing_is_asked_for_and_the_recording_kept(
    trainee: User, sign_in: SignIn
) -> None:
    upload = Upload.objects.create(owner=trainee, name="x.mp4", expected_bytes=10)
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(b"0123456789")
    finish_upload(upload=upload, received_bytes=10, sha256="a" * 64, complete=False)
    url = reverse("feedback:cut_off", args=[upload.pk])
    client = sign_in(trainee)
    token = client.get(url).context["form"]["token"].value()
    said = {"token": token, "setting": "camera", "language": "auto", "audience": "public"}
    page = client.post(url, said)
    assert "aim" in page.context["form"].errors
    assert not Rehearsal.objects.exists()
    client.post(url, {**said, "aim": "teach"})
    take = Rehearsal.objects.get()
    assert (take.aim, take.language, take.goal) == ("teach", "auto", "")


def test_a_mistake_under_more_opens_it(trainee: User, sign_in: SignIn) -> None:
    take = RehearsalFactory(owner=trainee)
    url = reverse("feedback:correct", args=[take.pk])
    said = {"title": "T", "aim": "teach", "audience": "public", "time_limit_minutes": "-3"}
    page = sign_in(trainee).post(url, said).content.decode()
    assert '<details class="drawer more-said" open>' in page


def test_the_recorder_says_what_the_look_into_the_lens_is_for(
    trainee: User, sign_in: SignIn
) -> None:
    page = sign_in(trainee).get(reverse("feedback:record")).content.decode()
    assert 'id="looks" aria-describedby="looks-help"' in page
    help_text = page.partition('id="looks-help">')[2].partition("</p>")[0]
    assert help_text.startswith("Look at it in silence, then begin.")


def test_a_language_that_was_found_out_counts_like_one_that_was_named(
    trainee: User, cohort: Cohort
) -> None:
    french = make_report()
    french = french.model_copy(
        update={"language": french.language.model_copy(update={"code": "fr"})}
    )
    for _take in range(3):
        finish_analysis(RehearsalFactory(owner=trainee, cohort=cohort, language="auto"))
    finish_analysis(RehearsalFactory(owner=trainee, cohort=cohort, language="auto"), french)
    english, other = (
        RehearsalFactory(owner=trainee, cohort=cohort, language="auto") for _take in range(2)
    )
    finish_analysis(english)
    finish_analysis(other, french)
    assert context_of(english).language == "en"
    assert context_of(english).baseline["fillers.filled_pauses_per_minute"].takes == 3
    assert context_of(other).language == "fr"
    assert not context_of(other).baseline


@pytest.mark.parametrize(("limit", "shown"), [(150.0, "2.5"), (120.0, "2"), (None, "")])
def test_the_limit_of_a_talk_that_is_recorded_again_stands_in_its_field_in_french_too(
    trainee: User, sign_in: SignIn, limit: float | None, shown: str
) -> None:
    """“2,5” is no number to a browser: the field was empty, and no light told the time."""
    set_language(user=trainee, language=Language.FRENCH)
    take = RehearsalFactory(owner=trainee, time_limit=limit)
    url = f"{reverse('feedback:record')}?again={take.pk}"
    page = sign_in(trainee).get(url).content.decode()
    assert '<html lang="fr">' in page
    assert f'step="any" value="{shown}" data-limit' in page
