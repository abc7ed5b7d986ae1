from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def count_words(apps: Apps, _schema: BaseDatabaseSchemaEditor) -> None:
    """Names of participants stood there for ever, in a list that outlives the study."""
    entries = apps.get_model("audit", "Entry").objects.filter(action="research.words_let_through")
    for entry in entries.iterator():
        detail = {
            name: len(value) if isinstance(value, list) else value
            for name, value in entry.detail.items()
        }
        if detail != entry.detail:
            entry.detail = detail
            entry.save(update_fields=["detail"])


class Migration(migrations.Migration):
    dependencies = [("audit", "0007_handed_over_without_names")]

    operations = [migrations.RunPython(count_words, migrations.RunPython.noop)]
