"""Sample values for the pages that the browser tests open."""

from __future__ import annotations

from coach.feedback.pages.about_take import Player
from coach.feedback.pages.cards import Card, ClipLink
from coach.feedback.pages.not_shown import NotShown
from coach.feedback.pages.owner_actions import NO_OTHERS, OwnersSide
from coach.feedback.pages.owner_questions import TrimForm
from coach.feedback.pages.report import ReportPage
from coach.feedback.pages.timeline import Lane, LaneMark
from coach.feedback.pages.transcript import TranscriptLine, TranscriptWord

SECONDS = 30
WORDS = [f"word{index}" for index in range(28)]

PLAYER = Player(
    media_url="/talk.wav",
    media_type="audio/wav",
    captions_url="",
    poster_url="",
    duration=float(SECONDS),
    has_video=False,
    language="en",
)
CARD = Card(
    id="00000000-0000-4000-8000-000000000002",
    rank=1,
    tone="strength",
    heading="Keep",
    quality="pauses",
    claim="You paused after most sentences.",
    figure="19 of 26.",
    comparison="",
    why="Listeners can follow.",
    suggestion="Do it again.",
    exercise_title="",
    exercise="",
    certainty="Fairly sure.",
    clips=(ClipLink(start=5, end=6, label="0:05"), ClipLink(start=20, end=22, label="0:20")),
    author="Rule PAU001",
)
OWNER = OwnersSide(
    promised="",
    can_send=False,
    no_coach="",
    is_sent=False,
    withdraws_for_good=False,
    is_read=False,
    others_sent=NO_OTHERS,
    asked=None,
    can_try_again=False,
    can_measure_again=False,
    heard_language="",
    other_languages=(),
    camera=None,
    part=TrimForm(rows=(), whole="0:30"),
    dispute_reasons=(),
    viewers=(),
)
PAGE = ReportPage(
    rehearsal_id="00000000-0000-4000-8000-000000000001",
    again_url="",
    title="A talk",
    facts=(),
    state_words="Not with a coach",
    constructed=False,
    notices=(),
    player=PLAYER,
    cards=(CARD,),
    neutral="",
    trying=None,
    next_step="",
    left_out=NotShown(),
    not_measured=(),
    measures=(),
    lanes=(
        Lane(
            label="Pauses",
            kind="marks",
            summary="One pause.",
            marks=(LaneMark(start=15, end=16, left=50, width=3.33, label="long at 0:15"),),
        ),
        Lane(label="Pace", kind="line", summary="Even.", path="M0,50L1000,50"),
    ),
    sentences=tuple(
        TranscriptLine(
            start=float(first),
            label=f"0:{first:02d}",
            words=tuple(
                TranscriptWord(text=WORDS[at], start=float(at), end=at + 0.8)
                for at in range(first, min(first + 4, len(WORDS)))
            ),
        )
        for first in range(0, len(WORDS), 4)
    ),
    owner=OWNER,
)
