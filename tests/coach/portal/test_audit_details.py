"""What the log keeps of an act is read in words: every name, and every value of a list."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import override

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import change_name, save_cohort
from coach.accounts.services import set_shortcuts
from coach.audit.details import choice_words, detail_words, name_words
from coach.audit.models import Entry
from coach.audit.registry import ACTIONS, NAMES, VALUES
from coach.audit.services import record_act
from coach.feedback.annotations import Correction
from coach.feedback.forms import CorrectionForm
from coach.feedback.undoing import TAKE_BACK
from coach.rehearsals.talk_context import CONTEXT_NAMES
from coach.research.coding.codebook.services import WORDS
from coach.research.studies.forms import StudyForm
from tests.coach.conftest import SignIn
from tests.parts import ROOT

CODE = Path(__file__).resolve().parents[3] / "coach"
RECORDS = re.compile(r"\brecord_act\b|\b_as_logged\b")
OF_THE_ACT = {"action", "target", "actor"}
CHANGE = {"before", "after"}


@cache
def modules() -> tuple[ast.Module, ...]:
    """All code of the site that says something of what is recorded, read once."""
    texts = (path.read_text(encoding="utf-8") for path in CODE.rglob("*.py"))
    return tuple(ast.parse(text) for text in texts if RECORDS.search(text))


def calls(name: str) -> Iterator[ast.Call]:
    for module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield node


@cache
def recorded() -> dict[str, set[str]]:
    """By name, the acts that are recorded with it; an act that is not written out is `*`."""
    found = defaultdict(set)
    for call in calls("record_act"):
        given = {each.arg: each.value for each in call.keywords}
        assert None not in given, "names that nobody can read here"
        action = given["action"]
        act = str(action.value) if isinstance(action, ast.Constant) else "*"
        for name in given.keys() - OF_THE_ACT:
            found[str(name)].add(act)
    return found


def within() -> set[str]:
    """Names within what is recorded."""
    inner = {"off", "keys", "decision", "start", "end", "note", "by", "at"}
    for module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.name == "_as_logged":
                kept = next(each for each in ast.walk(node) if isinstance(each, ast.Dict))
                inner |= {str(ast.literal_eval(key)) for key in kept.keys if key is not None}
    talk = {name for name in CONTEXT_NAMES if name in {*CorrectionForm.KEPT, "time_limit"}} - {
        "title"
    }
    return inner | talk | set(WORDS)


def test_everything_that_is_recorded_has_a_name_in_words_and_nothing_else_has() -> None:
    assert recorded().keys() - CHANGE | within() == NAMES.keys()


def test_every_list_is_of_something_that_is_recorded() -> None:
    known = recorded().keys() | within()
    for each in VALUES:
        action, _colon, name = each.rpartition(":")
        assert name in known, each
        if action:
            assert action in ACTIONS, each
        words = choice_words(action, name)
        assert words, each
        if name != "language":  # each language is named in itself
            assert all(isinstance(word, Promise) for code, word in words.items() if code), each


def test_lists_of_ours_are_complete() -> None:
    assert choice_words("accounts.roles_changed", "after").keys() == set(Role.values)
    assert choice_words("feedback.corrected", "kind").keys() == set(Correction.Kind.values)
    assert choice_words("feedback.undone", "kind").keys() == set(TAKE_BACK)


@pytest.mark.parametrize(
    ("action", "kind", "detail", "english", "french"),
    [
        (
            "accounts.roles_changed",
            "accounts.user",
            {"before": ["trainee"], "after": ["trainee", "curator"]},
            "trainee → trainee, curator",
            "élève → élève, responsable des règles",
        ),
        (
            "feedback.verdict",
            "feedback.item",
            {"kind": "reject", "reason": "tone", "before": "", "held_back": []},
            "kind: rejected · reason: I would not say it like this · before: – · held back: –",
            "nature : rejetée · motif : Je ne le dirais pas ainsi · avant : – · mis de côté : –",
        ),
        (
            "guests.report_shared",
            "rehearsals.rehearsal",
            {"days": 7, "with_recording": True, "shows_all": False},
            "days: 7 · with the recording: yes · with every measure: no",
            "jours : 7 · avec l’enregistrement : oui · avec toutes les mesures : non",
        ),
        (
            "feedback.note_changed",
            "feedback.timednote",
            {"before": {"at": 1.5, "tag": "clarity"}, "after": {"at": 1.5, "tag": "fluency"}},
            "quality: Clarity → Fluency",
            "qualité : Clarté → Fluidité",
        ),
        (
            "feedback.corrected",
            "feedback.correction",
            {"after": {"kind": "not_a_filler", "event": "filled_pause", "at": 12.25}},
            "after: kind not a filler, event Ums and uhs, at 12.25",
            "après : nature pas un mot de remplissage, relevé Les « euh », à 12,25",
        ),
        (
            "feedback.talk_corrected",
            "rehearsals.rehearsal",
            {"changed": ["speaks_as", "time_limit"]},
            "changed: first language, time limit",
            "modifié : langue maternelle, durée prévue",
        ),
        (
            "practice.focus_chosen",
            "practice.focusarea",
            {"measure": "pace.words_per_minute"},
            "measure: Speaking pace",
            "mesure : Débit de parole",
        ),
        (
            "accounts.name_changed",
            "accounts.user",
            {"before": "coach", "after": "Bea"},
            "coach → Bea",
            "coach → Bea",
        ),
        ("of.long_ago", "media.file", {"why_not": "coach"}, "why_not: coach", "why_not : coach"),
        ("feedback.run_started", "feedback.run", {}, "–", "–"),
    ],
)
def test_a_detail_in_words(
    action: str, kind: str, detail: dict[str, object], english: str, french: str
) -> None:
    with override("en"):
        assert detail_words(action, kind, detail).replace("\u00a0", " ") == english
    with override("fr"):
        assert detail_words(action, kind, detail).replace("\u00a0", " ") == french


def test_of_a_cohort_only_what_was_changed_is_said_as_its_form_says_it(
    cohort: Cohort, administrator: User
) -> None:
    cohort.reply_hours, cohort.may_retract = 36, True
    save_cohort(cohort=cohort, actor=administrator)
    entry = Entry.objects.get(action="accounts.cohort_changed")
    with override("en"):
        said = detail_words(entry.action, entry.object_type, entry.detail)
    assert said == "coaches may retract: no → yes · reply hours: 48 → 36"
    assert "reply_hours" not in said
    with override("fr"):
        unnamed = [
            name for name in entry.detail["after"] if name_words("accounts.cohort", name) == name
        ]
        assert unnamed == []


def test_what_a_study_says_of_itself_has_the_words_of_its_form() -> None:
    changed = set(StudyForm.Meta.fields)
    assert changed
    with override("fr"):
        assert {name for name in changed if name_words("research.study", name) == name} <= {
            "question"  # the same in French
        }


def test_own_keys_are_called_by_what_they_do(coach: User) -> None:
    set_shortcuts(user=coach, keys={"accept": "b"})
    entry = Entry.objects.get(action="accounts.keys_changed")
    with override("en"):
        assert detail_words(entry.action, entry.object_type, entry.detail) == (
            "shortcuts: – → accept b"
        )


def test_the_list_says_it_and_the_table_keeps_the_names(
    coach: User, administrator: User, sign_in: SignIn
) -> None:
    entry = record_act(
        action="guests.coach_may_invite", target=None, actor=coach, before=False, after=True
    )
    record_act(action="research.member_removed", target=None, actor=coach, before="allocator")
    client, page = sign_in(administrator), reverse("admin:audit_entry_changelist")
    shown = client.get(page).text
    assert "no → yes" in shown
    assert "before: Sees who is in which condition" in shown
    chosen = {"action": "as_csv", "_selected_action": [entry.pk]}
    table = b"".join(client.post(page, chosen)).decode()  # type: ignore[arg-type]
    assert ",False,True," in table


def test_the_table_runs_no_formula(coach: User, administrator: User, sign_in: SignIn) -> None:
    change_name(person=coach, name="=1+1", actor=administrator)
    entry = record_act(
        action="guests.coach_may_invite", target=None, actor=coach, before="@SUM(A1)", after="+1"
    )
    chosen = {"action": "as_csv", "_selected_action": [entry.pk]}
    page = reverse("admin:audit_entry_changelist")
    table = b"".join(sign_in(administrator).post(page, chosen)).decode()  # type: ignore[arg-type]
    row = next(csv.DictReader(io.StringIO(table)))
    assert (row["who"], row["before"], row["after"]) == ("'=1+1", "'@SUM(A1)", "'+1")


def test_only_these_write_a_table_without_the_common_guard() -> None:
    """What leaves as it was written says so in its README, guards the cells itself, or is ours."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "coach").rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)\(", path.read_text(encoding="utf-8"))
    }
    assert found == {
        "coach/lib/files/csv_tables.py",
        # Bundles for statistics: to the letter, and their README says so.
        "coach/research/exports/bundle/writing.py",
        "coach/research/exports/bundle/annotations.py",
        # Pseudonyms and kinds of files only.
        "coach/research/exports/transcripts.py",
        "coach/research/exports/formats/taguette.py",
        "coach/review/second/agreement.py",
        # Never leaves: the list of a course, for the form.
        "coach/lti/members.py",
    }
