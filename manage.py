"""Run Django's commands. Without DATABASE_URL this starts the embedded PostgreSQL first."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from analysis import __version__
from coach.lib import embedded
from coach.lib.audit_context import COMMAND, acting_from


def main() -> None:
    """Run a command; start a database first if the command needs one."""
    if sys.argv[1:] == ["version"]:  # Django answers this with its own version.
        sys.stdout.write(f"{__version__}\n")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    embedded.provide_secret()
    embedded.provide_database()
    with acting_from(COMMAND, sys.argv[1] if len(sys.argv) > 1 else "help"):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
