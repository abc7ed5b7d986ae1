"""`manage.py seed_demo [--video PATH] [--constructed]`: accounts and one rehearsal to look at."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from coach.accounts.models import Role
from coach.portal.seeding import ACCOUNTS, DEMO_PASSWORD, seed_people, seed_rehearsal


class Command(BaseCommand):
    """Safe to run at every start: it adds only what is not there."""

    help = "Adds the demonstration accounts, and a rehearsal when --video is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The recording, and whether it was put together rather than recorded."""
        parser.add_argument("--video", type=Path)
        parser.add_argument("--constructed", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Seed, and print who can sign in."""
        people = seed_people()
        video: Path | None = options["video"]
        if video is not None:
            if not video.is_file():
                raise CommandError(f"There is no file {video.name}.")
            seed_rehearsal(
                owner=people[Role.TRAINEE],
                video=video,
                is_constructed=options["constructed"],
            )
        for account in ACCOUNTS:
            self.stdout.write(f"{account.role.label:14} {account.email:31} {DEMO_PASSWORD}")
