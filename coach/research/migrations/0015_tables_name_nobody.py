"""Whoever took a table at a glance stood in the ledger by name, and so on other people's receipts."""

from django.db import migrations


def name_nobody(apps, _schema_editor):
    exports = apps.get_model("research", "Export").objects
    # A bundle has a checksum, and waits before it is fetched; a table has none and never waited.
    tables = exports.filter(sha256="", agreement="", formats=[], downloaded_at__isnull=False)
    tables.update(recipient="a member of the study")


class Migration(migrations.Migration):
    dependencies = [("research", "0014_clear_what_failed")]

    operations = [migrations.RunPython(name_nobody, migrations.RunPython.noop)]
