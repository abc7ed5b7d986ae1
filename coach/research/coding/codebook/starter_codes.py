"""Starter codebook: themes of the expert interviews of Fourati et al. (2025).

Labels and rules of use are ours; the paper reports insights and no codebook. Users add their own
codes.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.codebook.services import add_code
from coach.research.coding.models import Code
from coach.research.studies.models import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterCode:
    """A code of the first codebook: its name, meaning, and when to use it and when not."""

    name: str | Promise
    means: str | Promise
    use: str | Promise
    not_when: str | Promise
    colour: str


STARTER_CODES = (
    StarterCode(
        name=_("T1 Division of labour"),
        means=_("What a machine should do in training, and what should be left to a person."),
        use=_("Repetitive or technical work is given to the tool, or judgement to the coach."),
        not_when=_("How the two work together in a course is T11."),
        colour="#2a9d8f",
    ),
    StarterCode(
        name=_("T2 Volume and selection"),
        means=_("How much feedback the speaker gets, and which."),
        use=_("The participant mentions few or many remarks, or choosing among them."),
        not_when=_("T3 covers which criterion matters more."),
        colour="#e9c46a",
    ),
    StarterCode(
        name=_("T3 Hierarchy of criteria"),
        means=_("Low-level and high-level criteria, their order, and mixing them."),
        use=_("Form is contrasted with content, or detail with the whole."),
        not_when=_("T4 covers what a measure says about a quality."),
        colour="#c8642c",
    ),
    StarterCode(
        name=_("T4 From measures to qualities"),
        means=_("What a measured value says about how someone communicates, and norms for it."),
        use=_("A figure is given a meaning, or is said to have no norm that fits everyone."),
        not_when=_("How a figure was obtained is T5."),
        colour="#b23a48",
    ),
    StarterCode(
        name=_("T5 Transparency"),
        means=_("Whether a result, and how it was obtained, can be understood."),
        use=_("The participant asks where a result comes from, or does not believe it."),
        not_when=_("Whether the result fits the occasion is T6."),
        colour="#33658a",
    ),
    StarterCode(
        name=pgettext_lazy("theme of interviews", "T6 Context"),
        means=_("The purpose, audience and situation of the talk."),
        use=_("Feedback is said to depend on the occasion, or not to fit it."),
        not_when=_("A speaker’s own style, whatever the occasion, is T7."),
        colour="#6d597a",
    ),
    StarterCode(
        name=_("T7 Own style"),
        means=_("A personal way of speaking, and the risk of sounding like everyone else."),
        use=_("The participant wants to keep their style, or sees people becoming alike."),
        not_when=_("Norms for a single measure are T4."),
        colour="#b56576",
    ),
    StarterCode(
        name=_("T8 Tone of feedback"),
        means=_("How feedback is worded: what worked, what to work on, undeserved praise."),
        use=_("The participant mentions encouragement, bluntness or praise."),
        not_when=_("The amount of feedback is T2."),
        colour="#355070",
    ),
    StarterCode(
        name=_("T9 Stage fright"),
        means=_("Coping with the fear of speaking, which tools do not help with."),
        use=_(
            "The participant mentions their own or other people’s fear, and ways to help with it."
        ),
        not_when=_("Practising without an audience is T10."),
        colour="#7a8b3f",
    ),
    StarterCode(
        name=_("T10 Benefits"),
        means=_("Repeated practice, objectivity, availability at any time."),
        use=_("The participant says what a tool is useful for."),
        not_when=_("Benefits only together with a coach are T11."),
        colour="#457b9d",
    ),
    StarterCode(
        name=_("T11 Integration into coaching"),
        means=_("Tool and coach in one course: exercises, steps, progress."),
        use=_("The participant mentions a course, exercises, or what happens between sessions."),
        not_when=_("T1 covers who does which task."),
        colour="#9c6644",
    ),
)
COLOURS = tuple(each.colour for each in STARTER_CODES)


@transaction.atomic
def begin_codebook(*, study: Study, language: str, actor: User) -> list[Code]:
    """Add the starter codes to an empty codebook, in this language. Raises ValidationError."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if Code.objects.filter(study=study).exists():
        raise ValidationError(
            gettext("There are codes already. The eleven codes are meant for an empty codebook.")
        )
    with translation.override(language):
        made = [
            add_code(
                code=Code(
                    study=study,
                    name=str(each.name),
                    description=str(each.means),
                    include_when=str(each.use),
                    exclude_when=str(each.not_when),
                    colour=each.colour,
                ),
                actor=actor,
            )
            for each in STARTER_CODES
        ]
    record_act(action="research.codebook_begun", target=study, actor=actor, language=language)
    return made


def next_colour(study: Study) -> str:
    """Return the colour used by the fewest codes of the study."""
    used = list(Code.objects.filter(study=study).values_list("colour", flat=True))
    return min(COLOURS, key=used.count)
