from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def take_names_out(apps: Apps, _schema: BaseDatabaseSchemaEditor) -> None:
    """Two coaches' names stood there for ever, also of those whose accounts are gone."""
    entries = apps.get_model("audit", "Entry").objects.filter(action="review.handed_over")
    entries.filter(detail__has_key="after").update(detail={})


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_newest_first")]

    operations = [migrations.RunPython(take_names_out, migrations.RunPython.noop)]
