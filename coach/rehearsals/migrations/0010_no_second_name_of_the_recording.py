from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Cast, Concat


def name_again(apps, _schema_editor):
    name = Concat(
        models.Value("rehearsals/"),
        Cast("pk", models.CharField()),
        models.Value("/original"),
        output_field=models.CharField(),
    )
    apps.get_model("rehearsals", "Rehearsal").objects.update(media=name)


class Migration(migrations.Migration):
    """It always said rehearsals/ID/original, which is where custody looks."""

    dependencies = [("rehearsals", "0009_look_for_posters_and_copies")]

    operations = [
        # For going back: rows that are there need something until they have their name again.
        migrations.AlterField(
            "rehearsal",
            "media",
            models.FileField(default="", max_length=200, upload_to="rehearsals"),
        ),
        migrations.RunPython(migrations.RunPython.noop, name_again),
        migrations.RemoveField("rehearsal", "media"),
    ]
