from __future__ import annotations

from django.db import migrations


def keep(apps, _schema):
    """Nobody was promised a clock so far: until an administrator sets one, nothing goes."""
    apps.get_model("accounts", "Cohort").objects.update(
        keep_media_days=None, keep_reports_days=None, keep_exports_days=None
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_keep_time")]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
