"""`manage.py export_study STUDY --out FILE.zip`: export a study."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.lib.files.scratch import scratch
from coach.lib.terminal import TranslatedCommand
from coach.research.exports.bundle.build import ExportRefused
from coach.research.exports.command_export import export_to
from coach.research.exports.formats.parquet import can_write_parquet
from coach.research.exports.models import Export
from coach.research.exports.sentences import problem_words
from coach.research.studies.models import Study


class Command(TranslatedCommand):
    """Write the bundle of a study to a file."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Writes the bundle of a study to a file; it is logged like any other export."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the study, the file and the recipient."""
        parser.add_argument("study", help=_("name of the study, as in its URL"))
        parser.add_argument("--out", type=Path, required=True, help=_("the file to write"))
        parser.add_argument(
            "--format", action="append", choices=sorted(Export.OnRequest.values), default=[]
        )
        parser.add_argument("--recipient", default="", help=_("who receives it"))
        parser.add_argument("--purpose", default="", help=_("what for"))
        parser.add_argument("--agreement", default="", help=_("data agreement"))

    def handle(self, **options: Any) -> None:
        """Write the bundle, or list the data that may not be exported."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(_("There is no study called %s.") % options["study"])
        if Export.OnRequest.PARQUET in options["format"] and not can_write_parquet():
            raise CommandError(_("Parquet needs pyarrow: pip install pyarrow"))
        try:
            with scratch() as folder:
                export = export_to(
                    study=study,
                    target=options["out"],
                    folder=folder,
                    formats=options["format"],
                    recipient=options["recipient"] or _("the person who ran the command"),
                    purpose=options["purpose"] or _("not given: exported on the command line"),
                    agreement=options["agreement"] or _("not given: exported on the command line"),
                )
        except ExportRefused as refusal:
            for problem in refusal.problems:
                self.stderr.write(problem_words(*problem))
            raise CommandError(_("Refused: nothing was written.")) from refusal
        except OSError as problem:
            words = _("%(file)s was not written: %(why)s")
            raise CommandError(words % {"file": options["out"], "why": problem}) from problem
        self.stdout.write(f"{export.sha256}  {options['out']}")
