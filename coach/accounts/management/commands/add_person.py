"""`manage.py add_person ADDRESS --name NAME --role ROLE`: an account, and the link to open it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from coach.accounts.invitations import make_link
from coach.accounts.models import Language, Role, User
from coach.accounts.people import add_person


class Command(BaseCommand):
    """How the first administrator of an installation is made; needs no mail."""

    help = "Adds a person (unless the address is there) and prints a link to choose a password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and what they may do."""
        parser.add_argument("address")
        parser.add_argument("--name", default="", help="how the person is called here")
        parser.add_argument("--role", action="append", choices=Role.values, default=[])
        parser.add_argument("--language", choices=Language.values, default=Language.ENGLISH)
        parser.add_argument("--site", default=_site(), help="the address of this installation")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Add, and print the link."""
        address = options["address"].lower()
        try:
            validate_email(address)
        except ValidationError as error:
            raise CommandError(f"{address} is not an e-mail address.") from error
        person = User.objects.filter(email=address).first() or add_person(
            address=address,
            name=options["name"] or address.partition("@")[0],
            roles=options["role"],
            language=options["language"],
        )
        link = make_link(person=person, site=options["site"], actor=None)
        self.stdout.write(f"{person} ({person.email}) chooses a password here, once:\n{link}")


def _site() -> str:
    return next(iter(settings.CSRF_TRUSTED_ORIGINS), "http://127.0.0.1:8000")
