"""`manage.py seed_demo`: create the demonstration's accounts, takes and reviews."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import OperationalError, close_old_connections
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import Role, User
from coach.lib.terminal import TranslatedCommand
from coach.portal.demonstration.seeded_state import (
    hand_in_talks,
    is_analysing,
    newest_report_of,
    open_study,
    propose_a_change,
    settle_takes,
)
from coach.portal.demonstration.seeding import (
    ACCOUNTS,
    DEMO_PASSWORD,
    MORE_TRAINEES,
    seed_people,
    seed_rehearsal,
)

LOOKS_AGAIN_AFTER_SECONDS = 3.0


class Command(TranslatedCommand):
    """Create missing demonstration data; safe to run at every start."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Adds the demonstration accounts, and a take if --video is given."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the recordings, and whether the first one is constructed."""
        parser.add_argument("--video", type=Path)
        parser.add_argument("--constructed", action="store_true")
        parser.add_argument(
            "--talk",
            type=Path,
            action="append",
            default=[],
            help=_("a recording of the other people, known by its name without the ending"),
        )
        parser.add_argument(
            "--settle",
            metavar="ADDRESS",
            help=_("wait for the reports, say where the first one is, then send, review, object"),
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Seed the data and print the accounts, or settle the talks silently. Not allowed
        in production.
        """
        if settings.PRODUCTION:
            raise CommandError(
                _(
                    "The password of these accounts is public, so they cannot be created in "
                    "production."
                )
            )
        talks: dict[str, Path] = {path.stem: path for path in options["talk"]}
        video: Path | None = options["video"]
        for path in (*talks.values(), *([video] if video else [])):
            if not path.is_file():
                raise CommandError(_("There is no file %(name)s.") % {"name": path.name})
        people = seed_people()
        if video is not None:
            seed_rehearsal(
                owner=people[Role.TRAINEE], video=video, is_constructed=options["constructed"]
            )
        if talks:
            propose_a_change()
            hand_in_talks(talks)
        if options["settle"]:
            self._settle(talks, owner=people[Role.TRAINEE], address=options["settle"])
            return
        width = max(len(account.role.label) for account in ACCOUNTS)
        for account in ACCOUNTS:
            self.stdout.write(f"{account.role.label:{width}} {account.email:31} {DEMO_PASSWORD}")
        more = ", ".join(account.email.partition("@")[0] for account in MORE_TRAINEES)
        words = _("Four more trainees, with the same password: %(names)s")
        self.stdout.write(words % {"names": more})

    def _settle(self, talks: dict[str, Path], *, owner: User, address: str) -> None:
        """Settle takes until none is being analysed; the workers do the analysis."""
        is_told, goes_on = False, True
        while goes_on:
            with suppress(OperationalError):  # the database starts anew: it is asked again
                goes_on = is_analysing(owner) + settle_takes(talks) > 0
                if not is_told and (take := newest_report_of(owner)) is not None:
                    place = reverse("feedback:report", args=[take.pk])
                    words = _("A report is ready: %(address)s")
                    self.stdout.write(words % {"address": f"{address.rstrip('/')}{place}"})
                    is_told = True
                    open_study(take)
            if goes_on:
                close_old_connections()
                time.sleep(LOOKS_AGAIN_AFTER_SECONDS)
        if talks:
            self.stdout.write(
                _("All takes are analysed; two wait for the coach, one has come back.")
            )
