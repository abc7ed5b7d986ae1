from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0007_answered_at")]

    operations = [
        migrations.AddField("rehearsal", "has_poster", models.BooleanField(default=False)),
        migrations.AddField("rehearsal", "has_copy", models.BooleanField(default=False)),
        migrations.CreateModel(
            name="Removal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.CharField(max_length=120)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("proven_at", models.DateTimeField(blank=True, null=True)),
                ("objects_removed", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("proven_at__isnull", True)),
                        fields=["asked_at"],
                        name="removals_without_proof",
                    )
                ],
            },
        ),
    ]
