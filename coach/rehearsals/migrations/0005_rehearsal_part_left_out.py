from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0004_rehearsal_shows_slides")]

    operations = [
        migrations.AddField(
            model_name="rehearsal",
            name="part_left_out",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
