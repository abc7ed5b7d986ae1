"""Script of the demonstration: the takes of several people, and the course of each review."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from coach.rehearsals.talk_context import TalkContext


class Fate(Enum):
    """State of a take when the visitor arrives."""

    PRIVATE = "private"
    WAITING = "waiting"
    ASKED = "asked"
    RELEASED = "released"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestWords:
    """A guest of the owner, with their comment at a time in seconds."""

    name: str
    at_seconds: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondView:
    """Ratings of the same take by two coaches, in the order of the rubric; None if not rateable.

    The second coach would leave the last item out.
    """

    first_levels: tuple[int | None, ...]
    levels: tuple[int | None, ...]
    would_leave_out: str
    """The reason code for leaving it out."""
    discussion: tuple[str, str]
    """What the second and then the first coach write about their difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTake:
    """One recording of the demonstration and its review."""

    file: str
    owner: str
    context: TalkContext
    fate: Fate = Fate.PRIVATE
    key_words: str = ""
    """The notes that the recorder showed."""
    changes: tuple[tuple[float, int], ...] = ()
    """Changes of slides by key while recording: seconds, and slide from 0."""
    note: str = ""
    advice: str = ""
    """The coach's text in place of the first suggestion."""
    why_changed: str = ""
    """Why the coach changed it, for the people who write rules."""
    question: str = ""
    """The owner's unanswered question about the first item, after its release."""
    objection: str = ""
    reply: str = ""
    """The coach's answer to the objection."""
    asked: str = ""
    """The coach's question before the release."""
    guest: GuestWords | None = None
    moments: tuple[tuple[float, float], ...] = ()
    """Further times of the first item in the recording, in seconds, added by the coach."""
    written: tuple[str, str] | None = None
    """A message of the owner under the first card, and the coach's reply."""
    spoken: str = ""
    """The recording of the coach's spoken reply, by its name among the talks."""
    spoken_at: float = 0.0
    """The time of the take that the spoken reply is about, in seconds."""
    correction: str = ""
    """The coach's new advice, in a correction after the objection."""
    is_sampled: bool = False
    """Whether it is sampled for a second opinion."""
    second: SecondView | None = None
    """The second coach's opinion; without it the second opinion is open."""


_THESIS = TalkContext(
    title="My thesis in ninety seconds",
    aim="inform",
    audience="public",
    setting="stage",
    language="en",
    time_limit=90.0,
    goal="clarity",
)

TAKES = (
    DemoTake(
        file="thesis-first",
        owner="trainee@rostrum.example",
        context=_THESIS,
        fate=Fate.RELEASED,
        note="I always run out of breath. Where could I stop?",
        advice="Say the door and the bakery, then count to one in silence. Record just that part.",
        question="Should I pause as long in front of five people as in a large hall?",
        moments=((22.0, 28.0), (60.0, 66.0)),
        written=(
            "I tried it after the bakery. Is that a good place too?",
            "Yes. One breath there, and the sentence after it can be slower.",
        ),
        spoken="coach-reply",
        spoken_at=22.0,
        why_changed="True, but a place to stop helps more than a share.",
        is_sampled=True,
        second=SecondView(
            first_levels=(4, 3, 4, 3, None, 4),
            levels=(4, 2, 4, 3, None, 3),
            would_leave_out="unimportant",
            discussion=(
                "I would leave the last card out: two other things matter more for this talk.",
                "I kept it because she asked about it in her note. I see your point.",
            ),
        ),
    ),
    DemoTake(
        file="thesis-second",
        owner="trainee@rostrum.example",
        context=replace(_THESIS, notes="key_words"),
        key_words="The door\nThe bakery\nOne sentence for tomorrow",
        changes=((0.0, 0), (7.2, 1), (14.0, 2), (31.1, 3), (34.3, 4), (48.4, 5), (65.2, 6)),
        guest=GuestWords(
            name="Paul",
            at_seconds=20.0,
            text="This is the sentence that I would tell somebody tomorrow.",
        ),
    ),
    DemoTake(
        file="library",
        owner="nadia@rostrum.example",
        context=TalkContext(
            title="Four more hours for our library",
            aim="persuade",
            audience="decision_makers",
            setting="stage",
            language="en",
            time_limit=120.0,
            goal="fluency",
        ),
        fate=Fate.WAITING,
        note="The council meets on Thursday.",
        is_sampled=True,
    ),
    DemoTake(
        file="river",
        owner="tom@rostrum.example",
        context=TalkContext(
            title="Three results from the river",
            aim="report",
            audience="experts",
            setting="camera",
            language="en",
            time_limit=75.0,
        ),
        fate=Fate.WAITING,
        note="I know that it is long. What could go?",
    ),
    DemoTake(
        file="reading-aloud",
        owner="elise@rostrum.example",
        context=TalkContext(
            title="Lire à voix haute",
            aim="teach",
            audience="colleagues",
            setting="stage",
            language="fr",
        ),
        fate=Fate.DISPUTED,
        note="Est-ce que je parle assez lentement ?",
        advice="Gardez cette allure, et laissez un silence avant l’histoire du garçon.",
        objection="En réécoutant, je ne l’entends pas ainsi.",
        reply="Merci d’avoir réécouté : vous avez raison, j’ai changé mon conseil.",
        correction="Lisez la même page à deux vitesses, puis gardez celle que vous préférez.",
    ),
    DemoTake(
        file="toast",
        owner="ben@rostrum.example",
        context=TalkContext(
            title="A toast to Martha",
            aim="celebrate",
            audience="mixed",
            setting="stage",
            language="en",
        ),
        fate=Fate.ASKED,
        note="It has to make people laugh once.",
        asked="How many people will be in the room, and will you have a microphone?",
    ),
)
