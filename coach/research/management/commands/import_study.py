"""`manage.py import_study FILE`: import a bundle or a .qdpx into a new study."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import User
from coach.lib.terminal import TranslatedCommand
from coach.research.coding.interviews.forms import language_choices_or_unset
from coach.research.coding.models import UNSAID
from coach.research.exports.importing import NotABundle, load_bundle
from coach.research.exports.importing.refi import is_refi, load_refi
from coach.research.exports.sentences import counted, problem_words
from coach.research.studies.models import Study
from coach.research.studies.services import create_study


class Command(TranslatedCommand):
    """Import a bundle or project as a new study."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Imports the bundle of a study, or a REFI-QDA project from another tool, as "
        "a new study. The last line is its name."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the file and the lead of the study."""
        parser.add_argument("file", type=Path, help=_("the bundle (.zip) or project (.qdpx)"))
        parser.add_argument("--lead", required=True, help=_("email address of a researcher"))
        codes = [code for code, _name in language_choices_or_unset()]
        words = _("language of a project’s interviews, for example fr; a bundle states its own")
        parser.add_argument("--language", choices=codes, default=UNSAID, metavar="CODE", help=words)

        words = _("who anonymised a project’s texts before, and where consent is documented")
        parser.add_argument("--declared", default="", metavar="WORDS", help=words)

    def handle(self, **options: Any) -> None:
        """Import the file in one transaction."""
        lead = User.objects.filter(email__iexact=options["lead"]).first()
        if lead is None or not lead.can_research:
            raise CommandError(_("No researcher uses this address."))
        try:
            with transaction.atomic():
                study = create_study(study=Study(title=options["file"].stem[:160]), lead=lead)
                self._load(study, options["file"], lead, options)
        except NotABundle as problem:
            words = _("This bundle cannot be imported: check %s in it.")
            raise CommandError(words % problem) from problem
        self.stdout.write(study.slug)

    def _load(self, study: Study, path: Path, lead: User, options: dict[str, Any]) -> None:
        if not is_refi(path):
            load_bundle(study=study, path=path, actor=lead)
            return
        counts, told = load_refi(
            study=study,
            path=path,
            actor=lead,
            language=options["language"],
            declared=options["declared"],
        )
        words = _("%(what)s: %(in_file)s in the file, %(here)s here")
        for each in counted(counts):
            self.stdout.write(words % asdict(each))
        for problem in told:
            self.stdout.write(problem_words(*problem))
