"""Files of imports and exports that failed or were refused stayed in custody for ever."""

from django.db import migrations

_ENDED = ["failed", "refused"]


def have_them_removed(apps, _schema_editor):
    removals = apps.get_model("rehearsals", "Removal").objects
    for name in ("BundleImport", "Export"):
        ended = apps.get_model("research", name).objects.filter(state__in=_ENDED)
        for key in ended.values_list("pk", flat=True):
            removals.create(place=f"bundles/{key}/")


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0013_language_of_a_project"),
        ("rehearsals", "0023_uploads_for_others"),
    ]

    operations = [migrations.RunPython(have_them_removed, migrations.RunPython.noop)]
