"""Reports get a table of their own, with a row for each measure; they move in the next migration."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("feedback", "0011_who_waited_before_is_due")]

    operations = [
        migrations.RenameField(model_name="run", old_name="report", new_name="former_report"),
        migrations.CreateModel(
            name="StoredReport",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="report",
                        serialize=False,
                        to="feedback.run",
                    ),
                ),
                ("document", models.JSONField()),
                ("schema_version", models.PositiveSmallIntegerField()),
                ("duration", models.FloatField()),
                ("language", models.CharField(max_length=10)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="MeasuredValue",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("metric", models.CharField(max_length=80)),
                ("value", models.FloatField(null=True)),
                ("unit", models.CharField(blank=True, max_length=40)),
                ("n", models.PositiveIntegerField(null=True)),
                ("coverage", models.FloatField(null=True)),
                ("quality", models.CharField(blank=True, max_length=8)),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("reason", models.CharField(blank=True, max_length=40)),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measured",
                        to="feedback.storedreport",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["metric"], name="measured_by_metric")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("report", "metric"), name="a_metric_once_a_report"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), ("value__isnull", False))
                        | models.Q(("value__isnull", True), models.Q(("reason", ""), _negated=True)),
                        name="a_value_or_the_reason_why_there_is_none",
                    ),
                ],
            },
        ),
    ]
