"""What CONTRIBUTING promises: each thing is added in the places that it names, and then works.

Each test adds one, in a copy or in the registry itself for as long as the test runs, and looks for
it where people would.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.admin import site
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from analysis import events as catalogue_of_events
from analysis.events import EventKind
from analysis.metric import Metric
from analysis.metrics import BY_ID, METRICS
from analysis.pipeline import assembly
from analysis.ports import Measured
from analysis.results import Event, Measurement, Note, Quality, Reason, Skipped
from analysis.sentences import SENTENCES, Sentence, say
from analysis.talk.talk import Talk
from bench.docs import documents
from coach.accounts.models import Role, User
from coach.audit.admin import EntryAdmin
from coach.audit.models import Entry
from coach.audit.registry import ACTIONS
from coach.audit.services import record_act
from coach.curation import words
from coach.feedback.models import Run
from coach.feedback.pages import extensions
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.pages.extensions import PagePart, extend_pages
from coach.feedback.pages.measures import measure_groups
from coach.feedback.pages.timeline import lanes
from coach.feedback.runs import plan
from coach.feedback.runs.plan import ExtraStage, StagePlan
from coach.feedback.services import start_run
from coach.lib.personal_data import PersonalData
from coach.lib.words.sentences import sentence
from coach.portal.personal import personal_data
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.own_data import own_data
from coach.research.exports import downloads
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.tables.takes import TAKE_TABLES
from coach.research.exports.downloads import ExportFormat
from coach.research.studies.models import Study
from feedback_rules.explain import problems_of
from feedback_rules.loader import RULES_FOLDER, load_rules, rule_from_yaml
from feedback_rules.model import RuleSet
from feedback_rules.select import draft
from tests.analysis.spoken import talk_of
from tests.analysis.spoken import words as spoken_words
from tests.coach.factories import RehearsalFactory, make_report
from tests.feedback_rules.reports import a_report

ROOT = Path(__file__).parent.parent


class Laughter:
    """An analyser as somebody would add it: it finds one laugh and counts it."""

    name = "laughter"
    provides = ("pace.laughs", "pace.longest_laugh")

    def measure(self, talk: Talk) -> Measured:
        one = Measurement(
            value=1, unit="count", n=1, coverage=1, quality=Quality.GOOD, interval=None
        )
        start = talk.speech[0][0]
        return Measured(
            measurements={"pace.laughs": one},
            skipped={"pace.longest_laugh": Skipped.because(Reason.TOO_SHORT, "laughs_too_few")},
            events=(Event(kind="laugh", start=start, end=start + 1),),
        )


LAUGHS = tuple(
    Metric(
        id=each,
        label="Laughs",
        plain="How often you laughed.",
        unit="count",
        definition="Laughs heard.",
        reference="Rule of thumb",
        limitations="A cough may count as one.",
        counts=("laugh",),
    )
    for each in Laughter.provides
)
LAUGH = EventKind("laugh", "pace", "Laughs heard", "A laugh.", lane="if_measured")


@pytest.fixture
def laughter(monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry each in the registry, the metrics, the events and the sentences."""
    monkeypatch.setattr(assembly, "ANALYSERS", (*assembly.ANALYSERS, Laughter()))
    _add_to(monkeypatch, "METRICS", METRICS, LAUGHS)
    _add_to(monkeypatch, "EVENTS", catalogue_of_events.EVENTS, (LAUGH,))
    for each in LAUGHS:
        monkeypatch.setitem(BY_ID, each.id, each)
    monkeypatch.setitem(catalogue_of_events.EVENT_KINDS, "laugh", LAUGH.definition)
    monkeypatch.setitem(catalogue_of_events.EVENT_FAMILIES, "laugh", "pace")
    monkeypatch.setitem(SENTENCES, "laughs_too_few", Sentence("One laugh has no longest one."))


def _add_to(
    monkeypatch: pytest.MonkeyPatch, name: str, catalogue: object, entries: tuple[object, ...]
) -> None:
    """Add entries as an edit of the catalogue's module would: each importer sees them."""
    assert isinstance(catalogue, tuple)
    for module in tuple(sys.modules.values()):
        if getattr(module, "__dict__", {}).get(name) is catalogue:
            monkeypatch.setattr(module, name, (*catalogue, *entries))


@pytest.mark.usefixtures("laughter")
def test_an_analyser_is_one_module_and_a_line_in_each_catalogue() -> None:
    talk = talk_of(spoken_words("we had seen the boats come in " * 20))
    collected = assembly._collect(talk)
    assert collected.measurements["pace.laughs"].value == 1
    assert collected.skipped["pace.longest_laugh"].detail == "One laugh has no longest one."
    assert "laugh" in {event.kind for event in collected.events}
    off = replace(talk, options=replace(talk.options, skip=frozenset({"pace"})))
    collected = assembly._collect(off)
    assert collected.skipped["pace.laughs"].reason is Reason.DISABLED_BY_PROFILE
    assert "laugh" not in {event.kind for event in collected.events}


@pytest.mark.usefixtures("laughter")
def test_a_metric_and_an_event_are_one_entry_each_for_the_page_and_the_exports() -> None:
    laughs = Measurement(value=3, unit="count", n=3, coverage=1, quality="good", interval=None)
    report = make_report(**{"pace.laughs": laughs})
    rows = [row for group in measure_groups(report) for row in group.rows]
    assert ("Laughs", "How often you laughed.") in {(row.label, row.plain) for row in rows}
    assert "Laughs heard" in {lane.label for lane in lanes(report)}
    included = Included(study=Study(), cut_off=timezone.now())
    exported = {table.name: table.rows for table in TAKE_TABLES}
    [metric] = [row for row in exported["metrics"](included) if row["metric_id"] == "pace.laughs"]
    assert (metric["label"], metric["unit"]) == ("Laughs", "1")
    assert "laugh" in {row["kind"] for row in exported["event_kinds"](included)}
    assert "`pace.laughs`" in documents()["measures.md"]


def test_an_event_is_one_entry_from_which_families_and_words_are_made() -> None:
    kinds = catalogue_of_events.EVENTS
    assert {each.id: each.definition for each in kinds} == catalogue_of_events.EVENT_KINDS
    assert {each.id: each.family for each in kinds if each.family} == (
        catalogue_of_events.EVENT_FAMILIES
    )
    assert {each.id: each.label for each in kinds} == dict(words.events())


def test_a_sentence_is_one_line_and_can_be_said_on_every_edge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SENTENCES, "laughs_few", Sentence("{count:d} laughs are few."))
    note = Note.of("laughs_few", count=2)
    assert say(note.code, note.values) == sentence(note) == "2 laughs are few."


def test_a_rule_is_one_file(tmp_path: Path) -> None:
    [file] = RULES_FOLDER.rglob("FIL001_*.yml")
    folder = tmp_path / file.parent.name
    folder.mkdir()
    text = file.read_text(encoding="utf-8").replace("id: FIL001", "id: NEW001", 1)
    (folder / "NEW001_mine.yml").write_text(text, encoding="utf-8")
    [rule] = load_rules(tmp_path)
    assert (rule.id, problems_of(rule)) == ("NEW001", ())
    assert rule_from_yaml(text, name="NEW001_mine.yml") == rule
    measured = {"fillers.filled_pauses_per_minute": {"value": 9, "n": 27, "interval": [7, 11]}}
    ums = [{"kind": "filled_pause", "start": 9 * i, "end": 9 * i + 1} for i in range(1, 19)]
    report = a_report(measurements=measured, events=ums)
    made = draft(report, RuleSet(number=2, rules=(rule,)), None)
    assert [item.rule for item in made.items] == ["NEW001"]


@pytest.mark.django_db
def test_a_download_is_one_entry_and_its_page_and_address_follow(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    heads = ExportFormat(
        name="heads.txt",
        content_type="text/plain",
        label="Heads (text)",
        what="How many people there are.",
        render=lambda _user: [b"1 head"],
    )
    monkeypatch.setattr("coach.research.exports.views.FORMATS", (*downloads.FORMATS, heads))
    monkeypatch.setitem(downloads.BY_NAME, heads.name, heads)
    researcher = User.objects.create_user("eva@example.org", name="Eva", roles=[Role.RESEARCHER])
    client.force_login(researcher)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session["account_authentication_methods_user"] = str(researcher.pk)
    session.save()
    assert "Heads (text)" in client.get(reverse("research:home")).content.decode()
    answer = client.get(reverse("research:export", args=["heads.txt"]))
    assert (b"".join(answer), answer.headers["Content-Type"]) == (b"1 head", "text/plain")
    assert Entry.objects.filter(action="research.exported", detail={"file": "heads.txt"}).exists()


@pytest.mark.django_db
def test_a_part_of_the_home_page_is_one_function(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    monkeypatch.setattr(extensions, "AT_HOME", [])
    context = {"label": "Laughs", "url": "/laughs/"}
    part = PagePart(place="top", template="feedback/_report_link.html", context=context)
    extend_pages(at_home=[lambda _user: [part]])
    client.force_login(RehearsalFactory().owner)
    assert "/laughs/" in client.get(reverse("feedback:takes")).content.decode()


@pytest.mark.django_db
def test_an_act_is_one_line_and_stands_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError):
        record_act(action="talks.applauded", target=None)
    monkeypatch.setitem(ACTIONS, "talks.applauded", "Applauded")
    take = RehearsalFactory()
    entry = record_act(action="talks.applauded", target=take, loudness=3)
    assert Entry.objects.get(pk=entry.pk).detail == {"loudness": 3}
    page = EntryAdmin(Entry, site)
    assert page.act(entry) == "Applauded"
    assert page.about(entry).startswith("take ")
    request = RequestFactory().get("/")
    request.user = take.owner
    answer = page.as_csv(request, Entry.objects.filter(pk=entry.pk))
    assert "talks.applauded" in b"".join(answer).decode()


@pytest.mark.django_db
def test_a_stage_of_a_site_is_one_entry_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    trainee = User.objects.create_user("ana@example.org", name="Ana", roles=[Role.TRAINEE])
    thumbnails = StagePlan(
        name="thumbnails",
        added=ExtraStage(role="beside", needs=("prepare",)),
        queue="media",
        title="Making small pictures",
        doing="One for each minute",
        usual_ratio=0.01,
    )
    monkeypatch.setattr("coach.feedback.services.PLAN", (*plan.PLAN, thumbnails))
    monkeypatch.setitem(plan.BY_NAME, thumbnails.name, thumbnails)
    take = RehearsalFactory(owner=trainee)
    start_run(rehearsal=take, actor=trainee)
    run = Run.objects.get(rehearsal=take)
    assert run.stages.get(name="thumbnails").needs == ["prepare"]
    shown = {row.name for row in analysing_page(take, run).stages}
    assert "thumbnails" not in shown
    assert {"prepare", "transcribe", "draft"} <= shown


@pytest.mark.django_db
def test_something_kept_of_people_is_one_module_and_is_handed_out_and_erased(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = User.objects.create_user("ana@example.org", name="Ana", roles=[Role.TRAINEE])
    claps = {ana.pk: 3}
    applause = PersonalData(
        app="applause",
        kept={"claps": "as long as the account"},
        export=lambda user: {"claps": claps[user.pk]},
        handed_out={"applause.clap.user": "claps"},
        erase=lambda user: claps.pop(user.pk),
    )
    for where in ("own_data", "erasure"):
        everybodys = (applause, *personal_data.PERSONAL_DATA)
        monkeypatch.setattr(f"coach.portal.personal.{where}.PERSONAL_DATA", everybodys)
    assert own_data(ana)["claps"] == 3
    erase_person(user=ana)
    assert claps == {}


def test_the_guide_names_what_is_held_to_here() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for promise in (
        "An analyser",
        "An event",
        "A sentence",
        "A metric with its rule and lane",
        "A rule",
        "A part of the report page",
        "A download",
        "A logged act",
        "A stage",
        "Something kept of people",
    ):
        assert f"**{promise}" in guide, promise


def test_every_place_in_the_feature_tables_of_the_architecture_page_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tables = page.split("## Where each feature is")[1]
    rows = [line.split("|")[2] for line in tables.splitlines() if line.startswith("| ")]
    assert len(rows) > 50
    for row in rows:
        beside = ROOT
        for part in row.split("`")[1::2]:
            is_pattern = part.startswith(("management/", "feedback_rules/rules/"))
            is_in_each_app = part in {
                "audit_actions.py",
                "page_extensions.py",
                "personal_data.py",
            }
            if is_pattern or is_in_each_app or not part.endswith(("/", ".py")):
                continue
            if (ROOT / part).exists():
                beside = (ROOT / part).parent
            else:
                assert (beside / part).exists(), (part, row)
