"""A codebook to begin with: what experts spoke of in the interviews of Fourati et al. (2025).

Labels and rules of use are ours; the paper reports insights and no codebook. Codes of one's own
come beside them.
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
class Theme:
    """One theme: its name, what it means, when to use it and when not."""

    name: str | Promise
    means: str | Promise
    use: str | Promise
    not_when: str | Promise
    colour: str


THEMES = (
    Theme(
        name=_("T1 Division of labour"),
        means=_("What a machine should do in training, and what stays with a person."),
        use=_("Repetitive or technical work is given to the tool, or judgement to the coach."),
        not_when=_("How the two work together in a course: that is T11."),
        colour="#2a9d8f",
    ),
    Theme(
        name=_("T2 Volume and selection"),
        means=_("How much feedback, and which of it, reaches the speaker."),
        use=_("Somebody speaks of few or many remarks, or of choosing among them."),
        not_when=_("Which criterion counts more than another: that is T3."),
        colour="#e9c46a",
    ),
    Theme(
        name=_("T3 Hierarchy of criteria"),
        means=_("Low-level and high-level criteria, their order, and their being mixed."),
        use=_("Form is set against content, detail against the whole."),
        not_when=_("What a measure says about a quality: that is T4."),
        colour="#c8642c",
    ),
    Theme(
        name=_("T4 From measures to qualities"),
        means=_("What a measured value says about how somebody communicates, and norms for it."),
        use=_("A figure is given a meaning, or is said to have no norm that fits everybody."),
        not_when=_("How a figure was made: that is T5."),
        colour="#b23a48",
    ),
    Theme(
        name=_("T5 Transparency"),
        means=_("Whether one can understand a result and how it was made."),
        use=_("Somebody asks where a result comes from, or does not believe it."),
        not_when=_("Whether the result fits the occasion: that is T6."),
        colour="#33658a",
    ),
    Theme(
        name=pgettext_lazy("theme of interviews", "T6 Context"),
        means=_("Goal, listeners and situation of the talk."),
        use=_("Feedback is said to depend on the occasion, or to have missed it."),
        not_when=_("What is the speaker’s own, whatever the occasion: that is T7."),
        colour="#6d597a",
    ),
    Theme(
        name=_("T7 Own style"),
        means=_("A personal way of speaking, and its becoming like everybody’s."),
        use=_("Somebody wants to keep their way, or sees people made alike."),
        not_when=_("Norms of one measure alone: that is T4."),
        colour="#b56576",
    ),
    Theme(
        name=_("T8 Tone of feedback"),
        means=_(
            "How feedback is worded: what worked, what to work on, praise that was not earned."
        ),
        use=_("Somebody speaks of encouragement, bluntness or praise."),
        not_when=_("How much is said: that is T2."),
        colour="#355070",
    ),
    Theme(
        name=_("T9 Stage fright"),
        means=_("Coping with fear of speaking, which tools do not help with."),
        use=_("Somebody speaks of their own or others’ fear, and of help with it."),
        not_when=_("Practising without listeners as such: that is T10."),
        colour="#7a8b3f",
    ),
    Theme(
        name=_("T10 Benefits"),
        means=_("Practising again and again, objectivity, being there at any time."),
        use=_("Somebody says what a tool is good for."),
        not_when=_("It is good for something only together with a coach: that is T11."),
        colour="#457b9d",
    ),
    Theme(
        name=_("T11 Integration into coaching"),
        means=_("Tool and coach in one course: exercises, steps, progress."),
        use=_("Somebody speaks of a course, of exercises, or of what happens between sessions."),
        not_when=_("Who does which part: that is T1."),
        colour="#9c6644",
    ),
)
COLOURS = tuple(theme.colour for theme in THEMES)


@transaction.atomic
def begin_with_themes(*, study: Study, language: str, actor: User) -> list[Code]:
    """Put the eleven themes into an empty codebook, in this language. Raises ValidationError."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if Code.objects.filter(study=study).exists():
        raise ValidationError(gettext("There are codes already. Themes are a beginning."))
    with translation.override(language):
        made = [
            add_code(
                code=Code(
                    study=study,
                    name=str(theme.name),
                    description=str(theme.means),
                    include_when=str(theme.use),
                    exclude_when=str(theme.not_when),
                    colour=theme.colour,
                ),
                actor=actor,
            )
            for theme in THEMES
        ]
    record_act(action="research.codebook_begun", target=study, actor=actor, language=language)
    return made


def next_colour(study: Study) -> str:
    """The colour that fewest codes of the study have."""
    used = list(Code.objects.filter(study=study).values_list("colour", flat=True))
    return min(COLOURS, key=used.count)
