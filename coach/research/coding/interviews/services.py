"""Services for importing interviews: read a file, name the speakers, create the interview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.interviews.reading import NotATranscript, ParsedTurn, read_file
from coach.research.coding.interviews.redaction.deciding import propose_redactions
from coach.research.coding.interviews.transcript_text import SpokenTurn, digest, joined, lay_text
from coach.research.coding.interviews.voices import MOST_VOICES, parsed_transcript
from coach.research.coding.models import Guide, Interview, Speaker, Text, Transcript
from coach.research.studies.models import Participant, Study
from coach.research.studies.noted_consents import add_without_account

KEPT_DAYS = 7
"""Days until a file that is not imported is deleted, since it contains names (rule of thumb)."""
_LETTERS = {
    Speaker.Role.INTERVIEWER: "I",
    Speaker.Role.PARTICIPANT: "P",
    Speaker.Role.OTHER: "O",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewData:
    """Data of a whole conversation."""

    mode: str
    language: str
    held_on: date
    guide: Guide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceRole:
    """Role of a voice, with their participant if known.

    `new_as` is the group of a new participant without an account, who gets a pseudonym. `called` is
    the speaker's name in the file; empty if there is none.
    """

    role: str
    participant: Participant | None = None
    new_as: str = ""
    called: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceTurn:
    """One turn of a voice; `whose` is the key of the voice."""

    whose: str
    words: str
    start_ms: int | None = None
    end_ms: int | None = None


@transaction.atomic
def read_transcript(*, study: Study, name: str, content: bytes, actor: User | None) -> Transcript:
    """Read a file and store its content until it is imported or deleted. Raises NotATranscript."""
    document = read_file(name, content).as_document()
    if len(parsed_transcript(document).voices) > MOST_VOICES:
        raise NotATranscript("many_voices", str(MOST_VOICES))
    transcript = Transcript.objects.create(
        study=study, name=name[-255:], document=document, uploaded_by=actor
    )
    record_act(action="research.transcript_read", target=transcript, actor=actor, study=study.slug)
    return transcript


@transaction.atomic
def set_known_names(
    *, transcript: Transcript, also: Sequence[str], never: Sequence[str], actor: User
) -> None:
    """Parse the file again with a person's corrections: names of speakers, and words that
    are not.
    """
    document = transcript.document
    named = sorted({*document.get("also", []), *also} - set(never))
    document["also"] = named[:MOST_VOICES]
    document["never"] = sorted({*document.get("never", []), *never} - set(also))
    transcript.save(update_fields=["document"])
    record_act(action="research.speakers_said", target=transcript, actor=actor)


@transaction.atomic
def drop_transcript(*, transcript: Transcript, actor: User | None = None) -> None:
    """Delete a file that is not wanted."""
    record_act(action="research.transcript_dropped", target=transcript, actor=actor)
    transcript.delete()


def drop_old_transcripts() -> int:
    """Delete files that were not imported in time; return their number."""
    since = timezone.now() - timedelta(days=KEPT_DAYS)
    old = list(Transcript.objects.filter(uploaded_at__lt=since))
    for each in old:
        drop_transcript(transcript=each)
    return len(old)


@transaction.atomic
def take_in(
    *,
    transcript: Transcript,
    heading: InterviewData,
    same_as: Mapping[str, str],
    parts: Mapping[str, VoiceRole],
    turns: Mapping[int, str],
    actor: User,
) -> Interview:
    """Create an interview from a file, with the names still in it.

    `same_as` maps each name in the file to its voice, `parts` describes each voice, and `turns`
    gives the speaker of turns without a name, by position. Raises ValidationError if it was
    imported already or no participant speaks.
    """
    held = Transcript.objects.select_for_update().filter(pk=transcript.pk).first()
    if held is None:
        raise ValidationError(_("This file has already been imported."))
    seen = parsed_transcript(held.document)
    whose = [_speaker_of_turn(n, turn, same_as, turns) for n, turn in enumerate(seen.turns)]
    said = [
        VoiceTurn(whose=name, words=turn.words, start_ms=turn.start_ms, end_ms=turn.end_ms)
        for name, turn in zip(whose, seen.turns, strict=True)
    ]
    called = {name: replace(part, called=name[:120]) for name, part in parts.items()}
    ends = [turn.end_ms for turn in seen.turns if turn.end_ms is not None]
    interview = make_interview(
        study=held.study,
        heading=heading,
        parts=called,
        turns=said,
        duration_ms=max(ends, default=None),
        actor=actor,
    )
    held.delete()
    return interview


@transaction.atomic
def make_interview(
    *,
    study: Study,
    heading: InterviewData,
    parts: Mapping[str, VoiceRole],
    turns: Sequence[VoiceTurn],
    duration_ms: int | None,
    actor: User,
) -> Interview:
    """Create an interview with the names still in it, and propose redactions.

    Raises ValidationError if no participant speaks.
    """
    spoken = [name for name in dict.fromkeys(turn.whose for turn in turns) if name in parts]
    if not any(parts[name].role == Speaker.Role.PARTICIPANT for name in spoken):
        raise ValidationError(_("Choose a participant: no speaker has the role “Participant”."))
    known = {name: _with_pseudonym(study, parts[name]) for name in spoken}
    people = [each for each in known.values() if each.role == Speaker.Role.PARTICIPANT]
    interview = _interview(study, heading, people, duration_ms, actor)
    speakers = _speakers(interview, known)
    said = [
        SpokenTurn(
            speaker=speakers[turn.whose],
            words=turn.words,
            start_ms=turn.start_ms,
            end_ms=turn.end_ms,
        )
        for turn in turns
    ]
    text = lay_text(interview, joined(said), Text.Kind.RAW, by=actor)
    propose_redactions(text=text)
    record_act(
        action="research.interview_taken_in",
        target=interview,
        actor=actor,
        study=study.slug,
        turns=len(said),
    )
    return interview


def _speaker_of_turn(
    place: int, turn: ParsedTurn, same_as: Mapping[str, str], turns: Mapping[int, str]
) -> str:
    name = turn.speaker or turns.get(place, "")
    return same_as.get(name, name)


def _with_pseudonym(study: Study, part: VoiceRole) -> VoiceRole:
    """Return the role with a pseudonym, which only a participant has."""
    if part.role != Speaker.Role.PARTICIPANT:
        return replace(part, participant=None)
    if not part.new_as:
        return part
    return replace(part, participant=add_without_account(study=study, group=part.new_as))


def _interview(
    study: Study,
    heading: InterviewData,
    people: Sequence[VoiceRole],
    duration_ms: int | None,
    actor: User,
) -> Interview:
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)  # numbers are given one by one
    last = study.interviews.aggregate(last=Max("number"))["last"] or 0
    known = [part.participant for part in people if part.participant is not None]
    is_group = len(people) > 1
    return Interview.objects.create(
        study=study,
        number=last + 1,
        kind=Interview.Kind.FOCUS_GROUP if is_group else Interview.Kind.INTERVIEW,
        participant=known[0] if known else None,
        guide=heading.guide,
        mode=heading.mode,
        language=heading.language,
        held_on=heading.held_on,
        duration_ms=duration_ms,
        created_by=actor,
    )


def _speakers(interview: Interview, parts: Mapping[str, VoiceRole]) -> dict[str, Speaker]:
    """Create the speakers with anonymous labels: I and P, numbered if there are several."""
    totals = Counter(part.role for part in parts.values())
    counts: Counter[str] = Counter()
    speakers = {}
    for name, part in parts.items():
        counts[part.role] += 1
        number = str(counts[part.role]) if totals[part.role] > 1 else ""
        speakers[name] = Speaker.objects.create(
            interview=interview,
            label=f"{_LETTERS[Speaker.Role(part.role)]}{number}",
            called=part.called,
            role=part.role,
            participant=part.participant,
        )
    return speakers


@transaction.atomic
def write_guide(*, study: Study, text: str, actor: User) -> Guide:
    """Save a version of the interview guide; an unchanged text is the same version."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    words = "\n".join(line.rstrip() for line in text.strip().splitlines())
    newest = study.guides.first()
    if newest is not None and newest.text == words:
        return newest
    guide = Guide.objects.create(
        study=study,
        version=newest.version + 1 if newest else 1,
        text=words,
        sha256=digest(words),
        created_by=actor,
    )
    record_act(action="research.guide_written", target=guide, actor=actor, version=guide.version)
    return guide
