"""A stranger beside every view: not signed in -> sign in; signed in as somebody else -> 404."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django.fixtures import Settings

from coach.accounts.models import User
from coach.feedback.models import Correction, Feedback, TimedNote
from coach.portal.emergency.services import open_recording
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import recordings_for
from coach.uploads.services import finish_upload
from tests.coach.cast import Cast, fresh, whole_cast
from tests.coach.conftest import SignIn
from tests.coach.curation.addresses import STUDIO

OBJECT_VIEWS = [
    ("get", "feedback:report"),
    ("get", "feedback:analysing"),
    ("get", "feedback:analysing_now"),
    ("get", "feedback:captions"),
    ("get", "feedback:pdf"),
    ("get", "feedback:transcript"),
    ("post", "feedback:replace_word"),
    ("post", "feedback:mark_um"),
    ("post", "feedback:strike"),
    ("post", "feedback:mean_pause"),
    ("get", "feedback:transcript_text"),
    ("get", "feedback:transcript_captions"),
    ("post", "feedback:send"),
    ("post", "feedback:withdraw"),
    ("post", "feedback:read_now"),
    ("get", "practice:self_assess"),
    ("post", "practice:self_assess"),
    ("post", "practice:share_self"),
    ("post", "feedback:ease"),
    ("post", "feedback:retry"),
    ("post", "feedback:part"),
    ("post", "feedback:alone"),
    ("post", "feedback:camera"),
    ("get", "feedback:correct"),
    ("post", "feedback:correct"),
    ("get", "rehearsals:media"),
    ("get", "rehearsals:poster"),
    ("post", "portal:delete_take"),
    ("get", "review:desk"),
    ("get", "review:look"),
    ("post", "review:claim"),
    ("post", "review:give_back"),
    ("post", "review:renew"),
    ("post", "review:hand_over"),
    ("post", "feedback:about"),
    ("post", "review:add_item"),
    ("post", "review:add_note"),
    ("post", "review:strike"),
    ("post", "review:correct_word"),
    ("get", "review:rubric"),
    ("post", "review:rubric"),
    ("post", "review:reopen_rubric"),
    ("get", "review:rated"),
    ("post", "review:undo"),
    ("post", "review:word"),
    ("get", "review:takes"),
    ("get", "review:facts"),
    ("get", "review:speak"),
    ("get", "review:spoken_now"),
    ("post", "review:use_spoken"),
    ("post", "review:send_spoken"),
    ("get", "review:summary"),
    ("post", "review:release"),
    ("post", "review:take_back"),
    ("post", "review:correct"),
    ("post", "review:drop"),
    ("post", "review:retract"),
    ("post", "review:take_second"),
    ("get", "review:opinion"),
    ("post", "review:opinion_rubric"),
    ("post", "review:opinion_decide"),
    ("post", "review:give_up"),
    ("get", "review:compare"),
    ("post", "review:settle"),
    ("post", "review:discuss"),
    ("post", "review:begin_clip"),
    ("post", "review:make_clip"),
    ("post", "review:drop_clip"),
    ("post", "review:flag"),
    ("post", "review:settle_flag"),
    ("post", "review:assign"),
    ("post", "review:show_cards"),
    ("post", "review:ask"),
    ("post", "review:go_on"),
    ("post", "feedback:answer"),
    ("get", "guests:invite"),
    ("post", "guests:make"),
    ("post", "guests:share"),
    ("post", "guests:let_coach"),
    ("get", "practice:choose_span"),
    ("post", "practice:choose_span"),
    ("get", "practice:key_messages"),
    ("post", "practice:key_messages"),
    ("post", "practice:decide_key_message"),
    ("get", "slides:compare"),
    ("post", "slides:compare"),
    ("get", "practice:plan_of"),
    ("post", "practice:plan_of"),
    ("get", "practice:agenda"),
    ("post", "practice:agenda"),
    ("get", "practice:tasks_of"),
    ("post", "practice:tasks_of"),
    ("get", "questions:begin"),
    ("post", "questions:begin"),
    ("get", "review:answers"),
    ("post", "review:answers"),
]
ITEM_VIEWS = [
    ("post", "feedback:dispute"),
    ("post", "feedback:undo_dispute"),
    ("post", "feedback:redo_dispute"),
    ("post", "feedback:ask"),
    ("post", "feedback:undo_ask"),
    ("post", "review:answer"),
    ("post", "review:verdict"),
    ("post", "review:replace"),
    ("get", "guests:share_moment"),
    ("post", "guests:share_moment"),
]
NOTE_VIEWS = [("post", "review:change_note"), ("post", "review:remove_note")]
CORRECTION_VIEWS = [("post", "review:undo_correction"), ("post", "feedback:undo_correction")]
TAKE_VIEWS = OBJECT_VIEWS + ITEM_VIEWS + NOTE_VIEWS + CORRECTION_VIEWS
# Tried by tests/coach/uploads/test_gaze_calibration.py.
GAZE_VIEWS = {"feedback:gaze_delete"}
UPLOAD_VIEWS = [
    ("post", "slides:shown"),
    ("get", "feedback:cut_off"),
    ("post", "feedback:use_take"),
    ("post", "rehearsals:discard_upload"),
]
OWN_PAGES = {
    "feedback:takes", "feedback:new", "feedback:check_upload", "review:queue", "review:next",
    "review:team", "review:away", "review:seconds", "review:agreement", "review:agreement_csv",
    "review:clips",
    "feedback:record", "feedback:look",
    "feedback:gaze", "feedback:gaze_look", "feedback:gaze_save",
    "review:spoken_look",
    "review:released", "review:comments", "review:find_comments", "review:add_comment",
    "review:add_starters",
    "research:home", "research:export", "portal:privacy", "portal:keys", "portal:switch_keys",
    "portal:begun", "portal:help", "portal:guide",
    "research:recordings", "portal:hide_steps",
    "research:new_study", "research:mine", "research:load", "research:look",
    "portal:consent", "portal:families", "portal:profile", "portal:own_data", "portal:own_archive",
    "portal:erase", "portal:end_sign_ins",
    "portal:administration", "portal:requests", "portal:decide_request", "portal:welcome",
    "portal:delete_trial",
    "portal:department_home", "portal:departments", "portal:department", "portal:change_department",
    "portal:name_administrator", "portal:end_administration", "portal:move_group",
    "portal:group_term", "portal:archive_group", "portal:next_term",
    "portal:groups", "portal:group", "portal:end_code", "portal:add_group", "portal:change_group",
    "portal:people", "portal:act_on_people", "portal:usage", "portal:usage_weeks",
    "portal:usage_groups", "portal:group_log",
    # The tests of this page try another administrator, and people without the role.
    "portal:emergency",
    "api:tokens", "webhooks:webhooks", "lti:platforms", "scim:tokens",
    "portal:invite", "portal:send_invitations", "portal:undo_invitations",
    "notices:list", "notices:all_seen", "notices:mails", "notices:send_again",
    "practice:exercises", "practice:exercise", "practice:exercise_done", "practice:progress",
    "practice:record_exercise", "practice:use_exercise", "practice:send_exercise",
    "practice:plan", "practice:change_plan", "practice:reminder", "practice:reminder_calendar",
    "practice:beside", "practice:sessions",
    "questions:topics", "review:questions",
    "assignments:assignments", "assignments:calendar", "review:assignments",
}  # fmt: skip
STUDY_VIEWS = {
    f"research:{name}"
    for name in (
        "study", "edit_study", "sheet", "conditions", "questionnaire", "member", "step",
        "ask_for_bundle", "take_part", "leave", "answer", "bundle", "bundle_progress", "fetch",
        "told", "loading", "codebook", "code_colours", "new_code", "begin_codebook",
        "keep_codebook", "codebook_version", "code", "move_code", "code_state", "merge_code",
        "split_code", "sort_codings", "rounds", "new_round", "round", "close_round", "coding",
        "mark", "unmark", "undo_coding", "coding_memo", "text_memo", "finish_text",
        "open_free", "show_others", "passages", "passages_csv", "reel", "themes", "theme",
        "theme_step",
        "interviews", "new_interview", "unnamed", "guide", "transcript",
        "interview", "redact", "lock", "original", "speakers",
        "coding_take", "take_media", "open_free_take", "differences_of_take",
        "give_shares", "coder_kind",
        "differences", "differences_of", "agreement", "agreement_csv",
        "interview", "redact", "lock", "original", "speakers", "load_into",
        "sort_codings", "glance", "glance_of", "glance_chart", "glance_csv",
        "sort_codings", "load_codebook", "codebook_file", "codebook_version_file",
        "withdrawal", "takes", "allow_words", "written", "glance",
        "glance_of", "glance_chart", "glance_csv",
        "consents", "questions",
        "new_recording", "recording", "recording_now", "record_interview",
        "recording_media", "recording_step", "check_recording",
        "send_recording", "hand_in_recording", "discard_recording", "assign_voice", "add_voice",
        "passage", "take_recording_in",
    )
}  # fmt: skip
"""Of a study: tried in tests/coach/research/."""
SPAN_VIEWS = {
    "practice:span", "practice:span_now", "practice:hand_in", "practice:once_more",
    "practice:delete_span",
}  # fmt: skip
"""Tried in tests/coach/practice/test_redo.py."""
EMERGENCY_VIEWS = {"portal:emergency_of", "portal:emergency_play", "portal:emergency_close"}
"""Tried in tests/coach/portal/test_emergency.py."""
SESSION_VIEWS = {"practice:session", "practice:tick_task"}
"""Tried in tests/coach/practice/test_coaching_sessions.py and test_coach_tasks.py."""
QUESTION_VIEWS = {
    "questions:session", "questions:now", "questions:share", "questions:delete",
    "questions:hand_in", "questions:skip", "questions:again", "questions:measure",
    "questions:recording", "review:edit_question", "review:comment_on_answer",
}  # fmt: skip
"""Tried in tests/coach/questions/."""
ASSIGNMENT_VIEWS = {
    "assignments:assignment", "assignments:begin", "assignments:hand_in", "assignments:take_back",
    "assignments:ask_partner", "assignments:partner",
    "review:new_assignment", "review:assignment", "review:edit_assignment",
    "review:assignment_state", "review:extend_assignment", "review:assignment_table",
}  # fmt: skip
"""Tried in tests/coach/assignments/."""
SLIDE_VIEWS = {
    "slides:add", "slides:of_talk", "slides:deck", "slides:picture", "slides:delete",
    "slides:recorder",
}  # fmt: skip
"""Tried in tests/coach/slides/."""
LISTENING_VIEWS = {
    "practice:exercise_heard", "practice:exercise_heard_now", "practice:delete_exercise",
}  # fmt: skip
"""Tried in tests/coach/practice/test_listening.py."""
SPOKEN_VIEWS = {
    "review:thread", "review:thread_of_owner",
    "review:spoken_media", "review:spoken_captions", "review:spoken_again", "review:delete_spoken",
}  # fmt: skip
"""Tried in tests/coach/review/test_spoken.py and test_threads.py."""
KEPT_VIEWS = {"portal:kept", "portal:discard_kept"}
"""Tried in tests/coach/portal/drafts/test_signed_out.py: whoever did not type it learns nothing."""
TALK_VIEWS = {"feedback:talk", "portal:delete_takes"}
"""Tried in tests/coach/feedback/test_talks.py."""
BANK_VIEWS = {"review:edit_comment", "review:use_comment"}
"""Tried in tests/coach/review/test_bank.py: they belong to no take."""
PROGRAM_VIEWS = {"research:recording_uploads", "review:spoken_uploads"}
"""Tried in tests/coach/research/recordings/ and tests/coach/review/test_spoken.py: programs ask."""
TUS_VIEWS = {
    "rehearsals:tus", "rehearsals:tus_upload", "v1-uploads:uploads", "v1-uploads:upload",
}  # fmt: skip
"""Tried in tests/coach/uploads/test_tus.py and tests/coach/api/: programs ask here, and get no
page to sign in."""
GUEST_VIEWS = {
    "guests:door", "guests:visit", "guests:media", "guests:poster", "guests:captions",
    "guests:write", "guests:take_back", "guests:end", "guests:remove",
}  # fmt: skip
"""Tried in tests/coach/guests/: they open to a link, not to an account."""
TOKEN_VIEWS = {"api:revoke_token", "webhooks:change", "scim:revoke_token"}
"""Tried in tests/coach/api/test_tokens.py, tests/coach/webhooks/ and tests/coach/scim/."""
LTI_VIEWS = {
    "lti:login", "lti:launch", "lti:deep_link", "lti:keys", "lti:connect", "lti:disconnect",
    "lti:platform", "lti:delete", "lti:course", "portal:course_members",
}  # fmt: skip
"""Tried in tests/coach/lti/: platforms lead people here."""
METRIC_VIEWS = {"portal:metrics"}
"""Tried in tests/coach/portal/test_metrics.py: it answers a token, not an account."""
RECEIPT_VIEWS = {"portal:receipt", "portal:receipt_file"}
"""Tried in tests/coach/portal/test_receipts.py: of everything, whoever has the address reads it."""
PUBLIC = {
    "portal:home", "portal:sample", "portal:about", "portal:language",
    "portal:manifest", "portal:service_worker", "portal:offline",
    "portal:trial",
    "portal:join", "portal:confirm_join", "portal:enter_code", "portal:code",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def shared(for_the_file: None) -> Cast:
    """Made once: three hundred tests only look at it."""
    return whole_cast()


@pytest.fixture
def trainee(db: None, shared: Cast) -> User:
    return fresh(shared.trainee)


@pytest.fixture
def coach(db: None, shared: Cast) -> User:
    return fresh(shared.coach)


@pytest.fixture
def stranger(db: None, shared: Cast) -> User:
    return fresh(shared.stranger)


@pytest.fixture
def sent(db: None, shared: Cast) -> Rehearsal:
    return fresh(shared.sent)


def url_of(name: str, sent: Rehearsal) -> str:
    if name in {view for _method, view in ITEM_VIEWS}:
        item = sent.feedback.get().items.first()
        assert item is not None
        return reverse(name, args=[sent.pk, item.pk])
    if name in {view for _method, view in NOTE_VIEWS}:
        draft = sent.feedback.get()
        note = TimedNote.objects.create(feedback=draft, author_name="Bea", start=1.0, text="Hm.")
        return reverse(name, args=[sent.pk, note.pk])
    if name in {view for _method, view in CORRECTION_VIEWS}:
        place = {"kind": "word", "start": 1.0, "end": 1.4, "before": "a", "after": "the"}
        made = Correction.objects.create(feedback=sent.feedback.get(), made_by_name="Bea", **place)
        return reverse(name, args=[sent.pk, made.pk])
    return reverse(name, args=[sent.pk])


@pytest.mark.parametrize(("method", "name"), TAKE_VIEWS)
def test_a_stranger_is_told_that_there_is_no_such_thing(
    method: str, name: str, sent: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    response = getattr(sign_in(stranger), method)(url_of(name, sent))
    assert response.status_code == 404


def test_a_recording_opened_in_an_emergency_opens_nothing_else_of_the_take(
    sent: Rehearsal, administrator: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.EMERGENCY_ACCESS = True
    Rehearsal.objects.filter(pk=sent.pk).update(has_copy=True)
    open_recording(rehearsal=sent, actor=administrator, reason="A threat was reported.")
    assert recordings_for(administrator).filter(pk=sent.pk).exists()
    client = sign_in(administrator)
    for method, name in TAKE_VIEWS:
        if name not in {"rehearsals:media", "rehearsals:poster"}:
            Correction.objects.all().delete()
            answer = getattr(client, method)(url_of(name, sent))
            # Pages of coaches lead others home.
            is_closed = answer.status_code in {403, 404} or answer.headers.get("Location") == "/"
            assert is_closed, name


@pytest.mark.parametrize(("method", "name"), TAKE_VIEWS)
def test_somebody_who_is_not_signed_in_is_asked_to(method: str, name: str, sent: Rehearsal) -> None:
    response = getattr(Client(), method)(url_of(name, sent))
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("method", "name"),
    [("post", "feedback:send"), ("post", "feedback:withdraw"), ("post", "feedback:retry"),
     ("post", "feedback:alone"), ("post", "feedback:camera"),
    ("get", "feedback:correct"),
    ("post", "feedback:correct"),
     ("post", "feedback:dispute"), ("post", "portal:delete_take")],
)  # fmt: skip
def test_a_coach_cannot_act_as_the_owner(
    method: str, name: str, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert getattr(sign_in(coach), method)(url_of(name, sent)).status_code == 404


@pytest.mark.parametrize("name", ["review:desk"])
def test_the_owner_has_no_desk_for_their_own_take(
    name: str, sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    assert sign_in(trainee).get(url_of(name, sent)).status_code == 404


@pytest.mark.parametrize(("method", "name"), UPLOAD_VIEWS)
def test_an_upload_belongs_to_its_owner(
    method: str, name: str, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    upload = Upload.objects.create(owner=trainee, name="x.mp4", expected_bytes=10)
    finish_upload(upload=upload, received_bytes=3, sha256="", complete=False)
    url = reverse(name, args=[upload.pk])
    assert getattr(sign_in(stranger), method)(url).status_code == 404
    assert Upload.objects.filter(pk=upload.pk).exists()


@pytest.mark.parametrize("name", sorted(OWN_PAGES))
def test_own_pages_ask_strangers_to_sign_in(name: str, db: None) -> None:
    needs = {
        "research:export": ["rostrum.json"],
        "portal:consent": ["research_quotes"],
        "portal:hide_steps": ["practise"],
        "portal:decide_request": [uuid.uuid4()],
        "portal:undo_invitations": [uuid.uuid4()],
        "portal:group": [1],
        "portal:add_group": [],
        "portal:change_group": [1],
        "portal:group_term": [1],
        "portal:department": [1],
        "portal:change_department": [1],
        "portal:name_administrator": [1],
        "portal:end_administration": [1, 1],
        "portal:move_group": [1],
        "portal:archive_group": [1],
        "portal:next_term": [1],
        "portal:end_code": [uuid.uuid4()],
        "portal:guide": ["trainee"],
        "practice:exercise": ["breathe_instead"],
        "practice:exercise_done": ["breathe_instead"],
        "practice:record_exercise": ["breathe_instead"],
        "practice:use_exercise": ["breathe_instead"],
        "practice:send_exercise": ["breathe_instead"],
    }
    url = reverse(name, args=needs.get(name, []))
    client = Client()
    response = client.get(url)
    if response.status_code == 405:
        response = client.post(url)
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/login/")


def _parts(
    patterns: list[URLPattern | URLResolver], space: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """Each view of ours, and the parts of its address."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _parts(pattern.url_patterns, pattern.namespace or space)
        elif space and space != "admin":
            yield f"{space}:{pattern.name}", list(pattern.pattern.converters)


_PARTS = dict(_parts(get_resolver().url_patterns))


def _some(part: str) -> object:
    """A value for a part of an address; what it names is not there."""
    return uuid.uuid4() if part.endswith("_id") else "a-study" if part == "slug" else 1


def test_every_view_of_ours_stands_in_one_of_these_lists() -> None:
    listed = {name for _method, name in TAKE_VIEWS + UPLOAD_VIEWS}
    names = set(_PARTS)
    # The operations of the API, all of which tests/coach/api/test_strangers_api.py tries.
    names = {name for name in names if not name.startswith("v1:")}
    # And those of SCIM: tests/coach/scim/test_people.py.
    names = {name for name in names if not name.startswith("scim-v2:")}
    studio = {name for name in names if name.startswith("curation:")}
    assert studio == {f"curation:{name}" for name in STUDIO}
    other = (
        KEPT_VIEWS
        | RECEIPT_VIEWS
        | TALK_VIEWS
        | BANK_VIEWS
        | SPOKEN_VIEWS
        | TUS_VIEWS
        | STUDY_VIEWS
        | PROGRAM_VIEWS
        | QUESTION_VIEWS
        | ASSIGNMENT_VIEWS
    )
    other |= (
        TOKEN_VIEWS
        | LTI_VIEWS
        | METRIC_VIEWS
        | EMERGENCY_VIEWS
        | SESSION_VIEWS
        | SPAN_VIEWS
        | LISTENING_VIEWS
        | SLIDE_VIEWS
        | GAZE_VIEWS
    )
    assert names - studio == listed | OWN_PAGES | other | GUEST_VIEWS | PUBLIC


@pytest.mark.parametrize("name", sorted(STUDY_VIEWS))
def test_who_is_not_signed_in_is_asked_to_before_any_study(name: str, db: None) -> None:
    url = reverse(name, kwargs={part: _some(part) for part in _PARTS[name]})
    client = Client()
    answers = [client.get(url), client.post(url)]
    there = [each for each in answers if each.status_code != 405]
    assert {each.status_code for each in there} == {302}
    assert all(each.headers["Location"].startswith("/accounts/login/") for each in there)


@pytest.mark.parametrize("path", ["/media/", "/static/../var/media/"])
def test_no_recording_has_a_public_url(path: str, sent: Rehearsal, client: Client) -> None:
    response = client.get(f"{path}rehearsals/{sent.pk}/original")
    assert response.status_code == 404


def test_a_researcher_role_is_needed_to_export(coach: User, sign_in: SignIn) -> None:
    client = sign_in(coach)
    assert client.get(reverse("research:home")).status_code == 404
    assert client.get(reverse("research:export", args=["items.csv"])).status_code == 404


def test_a_withdrawn_take_is_closed_to_the_coach_at_once(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    rehearsal = draft.rehearsal
    assert sign_in(coach).get(url_of("review:desk", rehearsal)).status_code == 200
    sign_in(trainee).post(url_of("feedback:withdraw", rehearsal))
    for name in ("review:desk", "feedback:report", "rehearsals:media"):
        assert sign_in(coach).get(url_of(name, rehearsal)).status_code == 404
