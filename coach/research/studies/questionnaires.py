"""Import of questionnaires from a table: own items, or a published scale."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.words.punctuation import within_quotes
from coach.research.studies.models import Question, Questionnaire, Study

_YES = frozenset({"1", "true", "yes", "oui", "x"})
_MOST_QUESTIONS = 200
_MOST_STEPS = 101
"""Of a scale, each of which is a choice on the page: from 0 to 100 is the widest that is asked."""
_USUAL = {"least": 1.0, "most": 5.0}


@dataclass(frozen=True, kw_only=True)
class Heading:
    """Title, occasion, language and source of a questionnaire."""

    title: str
    moment: str
    language: str
    source: str = ""
    terms: str = ""


@transaction.atomic
def add_questionnaire(*, study: Study, heading: Heading, table: str, actor: User) -> Questionnaire:
    """Add a questionnaire. Raises ValidationError that names the line."""
    questions = _read(table)
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    key = slugify(heading.title)[:40] or "questions"
    if study.questionnaires.filter(
        key=key, moment=heading.moment, language=heading.language
    ).exists():
        raise ValidationError(
            _("A questionnaire with this title already exists for this time point.")
        )
    form = Questionnaire.objects.create(
        study=study,
        key=key,
        title=heading.title,
        moment=heading.moment,
        language=heading.language,
        source=heading.source,
        terms=heading.terms,
    )
    for question in questions:
        question.questionnaire = form
    Question.objects.bulk_create(questions)
    record_act(
        action="research.questionnaire_added", target=form, actor=actor, questions=len(questions)
    )
    return form


def _read(table: str) -> list[Question]:
    """Parse columns separated by comma, semicolon or tab, or one question per line, scale 1
    to 5.
    """
    lines = table.lstrip("\ufeff").strip().splitlines()
    if not lines:
        raise ValidationError(_("This questionnaire has no questions."))
    if len(lines) > _MOST_QUESTIONS:
        raise ValidationError(_("A questionnaire can have up to 200 questions."))
    separator = next((each for each in ("\t", ";", ",") if each in lines[0]), "")
    header = [name.strip().lower() for name in lines[0].split(separator)] if separator else []
    if "text" not in header:
        return [_question({"text": line}, place) for place, line in enumerate(lines, start=1)]
    rows = csv.DictReader(io.StringIO("\n".join(lines)), delimiter=separator)
    found = []
    for place, row in enumerate(rows, start=1):
        known = {str(name).strip().lower(): str(value or "").strip() for name, value in row.items()}
        found.append(_question(known, place))
    if len({each.key for each in found}) != len(found):
        raise ValidationError(_("Two questions have the same key."))
    return found


def _question(row: dict[str, str], place: int) -> Question:
    kind = row.get("kind") or Question.Kind.SCALE
    choices = [part.strip() for part in row.get("choices", "").split("|") if part.strip()]
    is_scale = kind == Question.Kind.SCALE
    question = Question(
        key=slugify(row.get("key", ""))[:40] or f"q{place:02d}",
        position=place,
        text=row.get("text", "").strip(),
        kind=kind,
        least=_number(row, "least", place) if is_scale else None,
        most=_number(row, "most", place) if is_scale else None,
        least_means=row.get("least_means", ""),
        most_means=row.get("most_means", ""),
        choices=choices,
        is_reversed=row.get("reversed", "").lower() in _YES,
        is_required=row.get("required", "").lower() in _YES,
    )
    try:
        question.clean_fields(exclude=["questionnaire"])
    except ValidationError as error:
        raise ValidationError(
            _("Question %(number)d: %(what)s") % {"number": place, "what": error.messages[0]}
        ) from error
    if kind == Question.Kind.CHOICE and len(choices) < 2:
        raise ValidationError(_("Question %d: enter at least two choices.") % place)
    if is_scale and not (question.least or 0) < (question.most or 0):
        raise ValidationError(_("Question %d: the scale must go up.") % place)
    if is_scale and (question.most or 0) - (question.least or 0) > _MOST_STEPS - 1:
        words = _("Question %(number)d: a scale can have up to %(most)d steps.")
        raise ValidationError(words % {"number": place, "most": _MOST_STEPS})
    return question


def _number(row: dict[str, str], name: str, place: int) -> float:
    text = row.get(name, "").replace(",", ".")
    try:
        return float(text) if text else _USUAL[name]
    except ValueError as error:
        words = _("Question %(number)d: “%(text)s” is not a number.")
        raise ValidationError(words % {"number": place, "text": within_quotes(text)}) from error
