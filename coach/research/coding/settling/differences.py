"""Where coders of a closed round differ: a code that some of them put on a turn, and others not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from coach.research.coding.judging import codes_judged, judgements, judges_of
from coach.research.coding.marking.reading import ReadTurn, read_turns
from coach.research.coding.models import (
    Adjudication,
    Code,
    Coder,
    Coding,
    Interview,
    Round,
    Text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """One coder's coding, within the turn that is looked at."""

    coding: Coding
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A turn, a code, and who put it there."""

    read: ReadTurn
    code: Code
    marked: tuple[Marked, ...]
    without: tuple[Coder, ...]
    """Who judged the turn and did not use the code."""
    settled: Adjudication | None

    @property
    def key(self) -> str:
        """Its name on the page."""
        return f"{self.read.turn.number}-{self.code.pk}"


def text_in(coding_round: Round, interview: Interview) -> Text | None:
    """The text of an interview that was coded in a round; None where none is left."""
    coded = judgements(coding_round).filter(text__interview=interview).values("text")
    texts = Text.objects.filter(interview=interview, kind=Text.Kind.LOCKED)
    return (
        texts.filter(pk__in=coded).order_by("-version").first()
        or texts.filter(is_current=True).first()
    )


def differences_in(coding_round: Round, text: Text) -> list[Difference]:
    """Every difference, in the order of the text and of the codebook; none with one judge."""
    judges = judges_of(coding_round, [text.interview_id])[text.interview_id]
    if len(judges) < 2:
        return []
    codings: dict[int, list[Coding]] = defaultdict(list)
    for each in judgements(coding_round).filter(text=text).select_related("coder", "code"):
        codings[each.code_id].append(each)
    settled = list(
        Adjudication.objects.filter(round=coding_round, text=text).select_related("by", "coding")
    )
    codes = list(codes_judged(coding_round))
    return [
        found
        for read in read_turns(text)
        if read.is_asked and not read.is_left_out
        for code in codes
        if (found := _difference(text, read, code, judges, codings[code.pk], settled))
    ]


def _difference(
    text: Text,
    read: ReadTurn,
    code: Code,
    judges: list[Coder],
    codings: Iterable[Coding],
    settled: Iterable[Adjudication],
) -> Difference | None:
    here = [
        each for each in codings if (each.start or 0) < read.end and (each.end or 0) > read.start
    ]
    using = {each.coder_id for each in here}
    without = tuple(coder for coder in judges if coder.pk not in using)
    if not using & {coder.pk for coder in judges} or not without:
        return None
    return Difference(
        read=read,
        code=code,
        marked=tuple(_within(text, read, each) for each in here),
        without=without,
        settled=next((each for each in settled if _is_about(each, read, code)), None),
    )


def _within(text: Text, read: ReadTurn, coding: Coding) -> Marked:
    start, end = max(coding.start or 0, read.start), min(coding.end or 0, read.end)
    return Marked(coding=coding, start=start, end=end, words=text.text[start:end])


def _is_about(settled: Adjudication, read: ReadTurn, code: Code) -> bool:
    return settled.code_id == code.pk and read.start <= settled.start < read.end
