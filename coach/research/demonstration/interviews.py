"""Synthetic interviews: forty conversations in several scripts, two coders, a model, 5,000
codings.
"""

from __future__ import annotations

import hashlib
import random
import unicodedata
from datetime import timedelta
from itertools import count

from django.utils import timezone

from coach.rehearsals.models import Rehearsal
from coach.research.coding.codebook.starter_codes import next_colour
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import (
    Assignment,
    Code,
    Coder,
    Coding,
    Guide,
    Interview,
    Memo,
    Round,
    Speaker,
    Text,
    Theme,
    ThemeMemo,
    Turn,
)
from coach.research.demonstration.people import Cast
from coach.research.demonstration.words import ASKED, CODES, EXPERTS_ASIDE, LANGUAGES, SAID
from coach.research.studies.models import Participant

N_INTERVIEWS, N_GROUPS = 36, 4
N_CODINGS = 5000
N_WORDS = 0
_ASKED_TIMES = 12
_TURN_MS = 9000


def make_interviews(
    cast: Cast, dice: random.Random, n_codings: int = N_CODINGS, n_words: int = N_WORDS
) -> None:
    """Create interviews, the codebook, a round, a free coding, memos and a theme.

    Each interview has twelve questions, and more until it has `n_words`.
    """
    guide_text = "\n".join(ASKED["en"])
    guide = Guide.objects.create(
        study=cast.study,
        version=1,
        text=guide_text,
        sha256=hashlib.sha256(guide_text.encode()).hexdigest(),
    )
    people = list(cast.people)
    texts = []
    for number in range(1, N_INTERVIEWS + N_GROUPS + 1):
        is_group = number > N_INTERVIEWS
        who = dice.sample(people, 4) if is_group else [people[(number - 1) % len(people)]]
        texts.append(_conversation(cast, guide, number, who, dice, n_words))
    _code(cast, texts, dice, n_codings)


def _conversation(
    cast: Cast,
    guide: Guide,
    number: int,
    who: list[Participant],
    dice: random.Random,
    n_words: int,
) -> Text:
    language = dice.choice(LANGUAGES)
    held = timezone.localdate(cast.began + timedelta(days=dice.uniform(10, 110)))
    interview = Interview.objects.create(
        study=cast.study,
        number=number,
        kind=Interview.Kind.FOCUS_GROUP if len(who) > 1 else Interview.Kind.INTERVIEW,
        participant=who[0],
        guide=guide,
        mode=dice.choice((Interview.Mode.IN_PERSON, Interview.Mode.VIDEO_CALL)),
        language=language,
        held_on=held,
        state=Interview.State.LOCKED,
    )
    asks = Speaker.objects.create(interview=interview, label="I", role=Speaker.Role.INTERVIEWER)
    answers = [
        Speaker.objects.create(
            interview=interview,
            label=f"P{place}" if len(who) > 1 else "P",
            role=Speaker.Role.PARTICIPANT,
            participant=each,
        )
        for place, each in enumerate(who, start=1)
    ]
    return lay(interview, _said(asks, answers, language, dice, n_words))


def _said(
    asks: Speaker, answers: list[Speaker], language: str, dice: random.Random, n_words: int
) -> list[tuple[Speaker, str]]:
    questions = ASKED.get(language, ASKED["en"])
    said: list[tuple[Speaker, str]] = []
    words = 0
    for place in count():
        if place >= _ASKED_TIMES and words >= n_words:
            break
        said.append((asks, questions[place % len(questions)]))
        for speaker in answers:
            sentences = dice.choices(SAID[language], k=dice.randint(2, 4))
            said.append((speaker, " ".join(sentences)))
        words += sum(len(line.split()) for _who, line in said[-len(answers) - 1 :])
    return said


def conversation_text(interview: Interview, expert: Participant) -> list[tuple[Speaker, str]]:
    """Return a short conversation in English, in which every answer differs."""
    asks = Speaker.objects.create(interview=interview, label="I", role=Speaker.Role.INTERVIEWER)
    answers = Speaker.objects.create(
        interview=interview, label="P", role=Speaker.Role.PARTICIPANT, participant=expert
    )
    words = (SAID["en"][4], SAID["en"][8], SAID["en"][2])
    pairs = zip(ASKED["en"], words, strict=True)
    return [turn for asked, said in pairs for turn in ((asks, asked), (answers, said))]


def lay(interview: Interview, said: list[tuple[Speaker, str]]) -> Text:
    """Save the locked text of a conversation with its turns."""
    lines = [unicodedata.normalize("NFC", f"{speaker.label}: {words}") for speaker, words in said]
    words = "\n".join(lines)
    text = Text.objects.create(
        interview=interview,
        kind=Text.Kind.LOCKED,
        text=words,
        sha256=hashlib.sha256(words.encode()).hexdigest(),
        n_code_points=len(words),
        redaction_version="synthetic",
        n_redactions=words.count("["),
    )
    at, turns = 0, []
    for number, (line, (speaker, _words)) in enumerate(zip(lines, said, strict=True), start=1):
        start_ms = (number - 1) * _TURN_MS
        turns.append(
            Turn(
                text=text,
                number=number,
                speaker=speaker,
                start=at,
                end=at + len(line),
                start_ms=start_ms,
                end_ms=start_ms + _TURN_MS,
            )
        )
        at += len(line) + 1
    Turn.objects.bulk_create(turns)
    Interview.objects.filter(pk=interview.pk).update(duration_ms=len(said) * _TURN_MS)
    return text


def _codebook(cast: Cast) -> list[Code]:
    codes = []
    for place, (theme, colour, below) in enumerate(CODES):
        parent = Code.objects.create(
            study=cast.study,
            name=theme,
            colour=colour,
            position=place,
            is_codable=False,
            description=f"Theme T{place + 1}.",
        )
        codes += [
            Code.objects.create(
                study=cast.study,
                name=name,
                parent=parent,
                colour=colour,
                position=number,
                description=f"Somebody speaks of: {name}.",
                include_when="It is said of one’s own practice.",
                exclude_when="It is only asked.",
            )
            for number, name in enumerate(below)
        ]
    return codes


def _code(cast: Cast, texts: list[Text], dice: random.Random, n_codings: int) -> None:
    codes = _codebook(cast)
    book = keep_version(study=cast.study, note="", actor=None)
    coders = [Coder.objects.create(study=cast.study, number=number) for number in (1, 2)]
    model = Coder.objects.create(
        study=cast.study, number=3, kind=Coder.Kind.MODEL, model="synthetic 1"
    )
    coding_round = Round.objects.create(
        study=cast.study, number=1, codebook=book, state=Round.State.CLOSED
    )
    coding_round.coders.set([*coders, model])
    coding_round.interviews.set(text.interview for text in texts)
    found = _codings(coding_round, texts, codes, [*coders, model], dice, n_codings)
    Coding.objects.bulk_create(found)
    _code_freely(cast, texts[0], coders[0])
    _code_take_freely(cast, codes, coders[0])
    theme = Theme.objects.create(study=cast.study, name="Practice before people")
    theme.codes.set(codes[:3])
    ThemeMemo.objects.create(theme=theme, body="Compare with what coaches say.", by=coders[0])
    for code in codes[::4]:
        Memo.objects.create(
            study=cast.study, coder=coders[0], code=code, title=code.name, body=EXPERTS_ASIDE
        )


def _code_freely(cast: Cast, text: Text, coder: Coder) -> None:
    """Code the answers of one interview outside rounds, with a code in vivo."""
    free = Round.objects.create(study=cast.study, number=0, state=Round.State.FREE)
    free.coders.add(coder)
    Assignment.objects.create(round=free, coder=coder, interview=text.interview)
    answers = text.turns.filter(speaker__role=Speaker.Role.PARTICIPANT).order_by("number")
    code: Code | None = None
    for turn in answers[:3]:
        start, end = _whole_words(turn, turn.start, turn.end)
        if code is None:
            name = " ".join(text.text[start:end].split()[:3])
            code = Code.objects.create(study=cast.study, name=name, colour=next_colour(cast.study))
        Coding.objects.create(
            study=cast.study, round=free, coder=coder, code=code, text=text, start=start, end=end
        )


def _code_take_freely(cast: Cast, codes: list[Code], coder: Coder) -> None:
    """Code two moments of the first take, whose recording is deleted as all of the study."""
    free = Round.objects.get(study=cast.study, state=Round.State.FREE)
    take = Rehearsal.objects.filter(cohort=cast.cohort).order_by("created_at").first()
    if take is None:
        return
    Assignment.objects.create(round=free, coder=coder, rehearsal=take)
    for code, start, end in zip(codes, (2_000, 20_000), (9_500, 31_000), strict=False):
        Coding.objects.create(
            study=cast.study, round=free, coder=coder, code=code,
            rehearsal=take, start_ms=start, end_ms=end,
        )  # fmt: skip


def _codings(
    coding_round: Round,
    texts: list[Text],
    codes: list[Code],
    coders: list[Coder],
    dice: random.Random,
    n_codings: int,
) -> list[Coding]:
    """Return codings with mostly agreeing coders, each span within one participant's turn."""
    turns = [
        turn
        for text in texts
        for turn in text.turns.select_related("speaker").all()
        if turn.speaker.role == Speaker.Role.PARTICIPANT
    ]
    found: dict[tuple[object, ...], Coding] = {}
    while len(found) < n_codings:
        turn, code = dice.choice(turns), dice.choice(codes)
        start = turn.start + dice.randrange(0, max((turn.end - turn.start) // 2, 1))
        start, end = _whole_words(turn, start, dice.randint(start + 1, turn.end))
        seen = coders if dice.random() < 0.6 else [dice.choice(coders)]
        for coder in seen:
            found[turn.text_id, start, end, code.pk, coder.pk] = Coding(
                study=coding_round.study,
                round=coding_round,
                coder=coder,
                code=code,
                text=turn.text,
                start=start,
                end=end,
                memo="Compare with the others 🤔" if dice.random() < 0.02 else "",
            )
    return list(found.values())[:n_codings]


def _whole_words(turn: Turn, start: int, end: int) -> tuple[int, int]:
    """Return the words of a turn that a span overlaps, without speaker label and outer
    white space.
    """
    words, start = turn.text.text, max(start, turn.start + len(f"{turn.speaker.label}: "))
    while words[start].isspace():
        start += 1
    while not words[start - 1].isspace():
        start -= 1
    end = max(end, start + 1)
    while end < turn.end and not words[end].isspace():
        end += 1
    return start, start + len(words[start:end].rstrip())
