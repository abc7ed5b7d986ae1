"""`manage.py reset_second_factor ADDRESS`: let somebody in who lost phone and recovery codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import User
from coach.accounts.second_factor.services import reset_second_factor
from coach.lib.terminal import TranslatedCommand


class Command(TranslatedCommand):
    """Remove a person's second factor from the server, for the last administrator."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Removes passkeys, authenticator app and recovery codes of a person, and signs them out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument for the person."""
        parser.add_argument("address")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Reset the second factor."""
        address = options["address"].lower()
        person = User.objects.filter(email=address, trial_ends_at=None).first()
        if person is None:
            raise CommandError(_("Nobody has the address %(address)s.") % {"address": address})
        if not reset_second_factor(person=person, actor=None):
            raise CommandError(_("%(name)s has no second factor.") % {"name": person})
        self.stdout.write(
            _("%(name)s signs in with their password now, and can set up a new second factor.")
            % {"name": person}
        )
