"""`manage.py make_demo_study`: create a synthetic study for trying things out."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.curation.services import take_up_builtin_rules
from coach.lib.terminal import SpokenCommand
from coach.research.demonstration.interviews import make_interviews
from coach.research.demonstration.people import make_cast
from coach.research.demonstration.takes import make_takes
from coach.research.studies.models import Study


class Command(SpokenCommand):
    """Create a synthetic study."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Creates a synthetic study: 30 people, 200 takes, 40 interviews, 5,000 "
        "codings. The last line is its name, for use in other commands."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument for another random seed."""
        parser.add_argument(
            "--seed", type=int, default=1, help=_("a different number gives different data")
        )

    def handle(self, **options: Any) -> None:
        """Create it in one transaction; every researcher of the site leads it."""
        # Random numbers for a demonstration, not for secrets.
        dice = random.Random(options["seed"])  # noqa: S311
        take_up_builtin_rules()
        with transaction.atomic():
            cast = make_cast(_free_slug(), dice)
            self.stderr.write(_("Created 30 people; now creating takes."))
            make_takes(cast, dice)
            self.stderr.write(_("Created 200 takes; now creating interviews."))
            make_interviews(cast, dice)
        self.stdout.write(cast.study.slug)


def _free_slug() -> str:
    taken = set(Study.objects.values_list("slug", flat=True))
    names = ("demo-study", *(f"demo-study-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)
