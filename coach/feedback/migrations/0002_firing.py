"""A row for each rule that fired, made from the stored drafts."""

from __future__ import annotations

import json
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def _from_drafts(apps: Any, schema_editor: Any) -> None:
    Feedback, Firing, Item = (
        apps.get_model("feedback", name) for name in ("Feedback", "Firing", "Item")
    )
    for feedback in Feedback.objects.only("draft").iterator(chunk_size=200):
        items = dict(
            Item.objects.filter(feedback=feedback, origin="rule").values_list("rule", "pk")
        )
        Firing.objects.bulk_create(
            Firing(
                feedback=feedback,
                rule=finding["rule"],
                rule_version=finding["rule_version"],
                item_id=items.get(finding["rule"]),
            )
            for finding in json.loads(feedback.draft)["findings"]
            if finding["outcome"] == "fired"
        )


class Migration(migrations.Migration):
    """See the module's docstring."""

    dependencies = [("feedback", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Firing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rule", models.CharField(max_length=20)),
                ("rule_version", models.PositiveSmallIntegerField()),
                (
                    "feedback",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="firings",
                        to="feedback.feedback",
                    ),
                ),
                (
                    "item",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="firing",
                        to="feedback.item",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["rule", "rule_version"], name="firing_of_a_rule_version"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("feedback", "rule"), name="a_rule_fires_once_a_draft"
                    )
                ],
            },
        ),
        migrations.RunPython(_from_drafts, migrations.RunPython.noop),
    ]
