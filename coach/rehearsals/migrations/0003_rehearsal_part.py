from __future__ import annotations

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0002_rehearsal_looks_into_lens_first")]

    operations = [
        migrations.AddField(
            model_name="rehearsal",
            name=name,
            field=models.FloatField(
                blank=True, null=True, validators=[django.core.validators.MinValueValidator(0)]
            ),
        )
        for name in ("part_start", "part_end")
    ]
