"""Make the database, collect the static files and create the accounts, all in one process.

Separate `manage.py` commands would each load Django and check the site, three seconds a command.
"""

from __future__ import annotations

import os
import sys

import django
from django.core.management import call_command
from django.utils import translation

from coach.lib.audit_context import COMMAND, acting_from
from coach.lib.terminal import terminal_language
from demo.quick_migrations import quick_migrations


def prepare(*, seeds: bool) -> None:
    """Prepare the site; print the accounts if demonstration data is wanted."""
    with quick_migrations():
        call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    with acting_from(COMMAND, "update_rules"):
        call_command("update_rules", stdout=sys.stderr)
    if seeds:
        with acting_from(COMMAND, "seed_demo"), translation.override(terminal_language()):
            call_command("seed_demo")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    django.setup()
    prepare(seeds="--no-seed" not in sys.argv[1:])
