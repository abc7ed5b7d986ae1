"""An index for the reasons that coaches wrote, newest first."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("feedback", "0026_reject_other_meaning")]

    operations = [
        migrations.AddIndex(
            model_name="verdict",
            index=models.Index(
                condition=models.Q(("note", ""), _negated=True),
                fields=["-at", "-id"],
                name="verdicts_with_written_reasons",
            ),
        ),
    ]
