"""What a take lends to the draft of the next one stands in a row that goes with it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feedback", "0005_note_answers"),
        ("rehearsals", "0007_answered_at"),
    ]

    operations = [
        migrations.CreateModel(
            name="Lent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("items", models.JSONField(default=list)),
                (
                    "feedback",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lent",
                        to="feedback.feedback",
                    ),
                ),
                (
                    "take",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="rehearsals.rehearsal",
                    ),
                ),
            ],
        ),
    ]
