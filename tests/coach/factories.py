"""Makes people, takes and finished analyses for tests; nothing here runs a model."""

from __future__ import annotations

import uuid
from functools import cache
from pathlib import Path
from typing import Any

import factory
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from analysis.metrics import METRICS
from analysis.results import Event, Measurement, Reason, Report, Skipped, Word
from coach.accounts.models import Cohort, Membership, Purpose, Role, User
from coach.accounts.services import give_consent
from coach.feedback.models import Feedback, Run
from coach.feedback.reports import store_report
from coach.feedback.runs.drafting import store_draft
from coach.rehearsals.models import Rehearsal, Talk, Upload
from coach.storage import places

PASSWORD = "a-long-test-password"


class UserFactory(factory.django.DjangoModelFactory[User]):
    """A person who can sign in with PASSWORD."""

    class Meta:
        model = User

    email = factory.Sequence(lambda n: f"person{n}@example.org")
    name = factory.Sequence(lambda n: f"Person {n}")
    roles = factory.LazyFunction(lambda: [Role.TRAINEE])
    password = factory.django.Password(PASSWORD)


def place(name: str, content: bytes) -> Path:
    """Put something into the folder of recordings, under its name in custody."""
    path = lies_at(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def lies_at(name: str) -> Path:
    """Where something of that name lies, as tests alone may know."""
    return Path(settings.MEDIA_ROOT) / name


def folder_of(take: Rehearsal) -> Path:
    """Everything that belongs to a take on the disk."""
    return lies_at(places.take_place(take.pk))


def give_poster(take: Rehearsal, picture: bytes = b"a picture") -> None:
    """A still picture, as `prepare` leaves one."""
    place(places.poster(take.pk), picture)
    take.has_poster = True
    take.save(update_fields=["has_poster"])


def arrived(upload: Upload) -> Path:
    """What came of an upload, on the disk."""
    return lies_at(f"uploads/{upload.pk}.part")


class TalkFactory(factory.django.DjangoModelFactory[Talk]):
    """What somebody prepares."""

    class Meta:
        model = Talk

    owner = factory.SubFactory(UserFactory)
    title = "Opening of my thesis talk"


class RehearsalFactory(factory.django.DjangoModelFactory[Rehearsal]):
    """A take whose recording is a few bytes: for everything that does not decode it."""

    class Meta:
        model = Rehearsal

    owner = factory.SubFactory(UserFactory)
    title = "Opening of my thesis talk"
    talk = factory.SubFactory(
        TalkFactory,
        owner=factory.SelfAttribute("..owner"),
        title=factory.SelfAttribute("..title"),
    )
    aim = "inform"
    audience = "experts"
    setting = "camera"
    language = "en"
    original_name = "take.mp4"
    size_bytes = 10
    sha256 = factory.LazyFunction(lambda: uuid.uuid4().hex * 2)
    duration = 180.0
    has_video = True
    playback_type = "video/mp4"
    has_copy = True

    @classmethod
    def _create(cls, model_class: type[Rehearsal], *args: Any, **kwargs: Any) -> Rehearsal:
        content = kwargs.pop("content", b"0123456789")
        rehearsal = super()._create(model_class, *args, **kwargs)
        place(places.original(rehearsal.pk), content)
        if rehearsal.has_copy:
            place(places.copy_to_play(rehearsal.pk), content)
        give_consent(user=rehearsal.owner, purpose=Purpose.ANALYSIS)
        return rehearsal


def join(cohort: Cohort, user: User, role: Role) -> None:
    """Make a person a member."""
    Membership.objects.create(cohort=cohort, user=user, role=role)


def make_report(*, duration: float = 180.0, **measured: Measurement) -> Report:
    """A report of a talk with 24 clear ums in three minutes, good pauses and nothing else."""
    words = tuple(
        Word(text=f"word{i}", start=i * 0.5, end=i * 0.5 + 0.4, probability=0.9)
        for i in range(int(duration * 2) - 1)
    )
    ums = tuple(
        Event(
            kind="filled_pause", start=7.0 * i + 3, end=7.0 * i + 3.4, probability=0.95, label="um"
        )
        for i in range(24)
    )
    rate = Measurement(
        value=8.0, unit="per minute", n=24, coverage=0.95, quality="good", interval=(6.0, 10.0)
    )
    measurements = {"fillers.filled_pauses_per_minute": rate, **measured}
    skipped = {
        metric.id: Skipped.because(Reason.POOR_SIGNAL, "in_words", words="Made for a test.")
        for metric in METRICS
        if metric.id not in measurements
    }
    return Report.model_validate(
        {
            "media": {
                "sha256": "0" * 64,
                "duration": duration,
                "container": "mp4",
                "audio": {"codec": "aac", "sample_rate_hz": 48000, "channels": 1},
                "video": {"width": 1280, "height": 720, "fps": 30.0, "rotation": 0},
            },
            "language": {"code": "en", "source": "given"},
            "speech": [[0.0, duration]],
            "words": [word.model_dump() for word in words],
            "events": [event.model_dump() for event in ums],
            "measurements": {key: value.model_dump() for key, value in measurements.items()},
            "skipped": {key: value.model_dump() for key, value in skipped.items()},
            "tracks": {
                "pace.syllables_per_second": {
                    "start": 0,
                    "step": 10,
                    "unit": "syllables per second",
                    "values": [4.0, 4.5, None, 5.0],
                }
            },
        }
    )


@cache
def _usual_report() -> Report:
    """The report of most takes. Making it takes as long as storing it; it is read here only."""
    return make_report()


def finish_analysis(rehearsal: Rehearsal, report: Report | None = None) -> Feedback:
    """A run that is done, with its draft, as the workers leave it."""
    run = Run.objects.create(
        rehearsal=rehearsal,
        state=Run.State.DONE,
        finished_at=timezone.now(),
    )
    store_report(run, report or _usual_report())
    with transaction.atomic():
        return store_draft(run=run)
