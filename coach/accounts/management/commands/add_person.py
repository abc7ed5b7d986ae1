"""`manage.py add_person ADDRESS --name NAME --role ROLE`: create an account and print its link."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.invitations import make_link
from coach.accounts.models import Language, Role, User
from coach.accounts.people import add_person
from coach.lib.terminal import SpokenCommand


class Command(SpokenCommand):
    """Create the first administrator of an installation, or any other person, without email."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Adds a person (unless the address is there) and prints a link to choose a password."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the person and their roles."""
        parser.add_argument("address")
        parser.add_argument("--name", default="", help=_("the name shown for this person"))
        parser.add_argument("--role", action="append", choices=Role.values, default=[])
        parser.add_argument("--language", choices=Language.values, default=Language.ENGLISH)
        parser.add_argument(
            "--site", default=settings.SITE_ADDRESS, help=_("the address of this installation")
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Add the person and print the link."""
        address = options["address"].lower()
        try:
            validate_email(address)
        except ValidationError as error:
            wrong = _("%(address)s is not an email address.") % {"address": address}
            raise CommandError(wrong) from error
        person = User.objects.filter(email=address).first()
        if person is not None and set(options["role"]) - set(person.roles):
            self.stderr.write(
                _("%(address)s already has an account. Its roles were not changed.")
                % {"address": address}
            )
        person = person or add_person(
            address=address,
            name=options["name"] or address.partition("@")[0],
            roles=options["role"],
            language=options["language"],
        )
        link = make_link(person=person, site=options["site"], actor=None)
        words = _("Link for %(name)s (%(address)s) to choose a password. It works once:")
        self.stdout.write(f"{words % {'name': person, 'address': person.email}}\n{link}")
