"""Consents say which wording was agreed to, and research has a purpose for each kind of data.

What was asked before was measurements, items and decisions: only that is carried over.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def name_measurements(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    consents = apps.get_model("accounts", "Consent").objects
    consents.filter(purpose="research").update(purpose="research_measurements")


def name_research(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    consents = apps.get_model("accounts", "Consent").objects
    consents.filter(purpose="research_measurements").update(purpose="research")


PURPOSES = [
    ("analysis", "Analysis"),
    ("coach", "Your coach"),
    ("research_measurements", "Research with measurements and decisions"),
    ("research_transcript", "Research with what you said"),
    ("research_quotes", "Quoting what you said"),
    ("research_audio", "Research with the sound"),
    ("research_video", "Research with the picture"),
    ("rule_preview", "Trying out changed rules on your takes"),
    ("coach_training", "Letting new coaches of your group practise on your takes"),
]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0016_profile_gentle")]

    operations = [
        migrations.AddField(
            model_name="consent",
            name="version",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="consent",
            name="text",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="consent",
            name="purpose",
            field=models.CharField(max_length=24, choices=PURPOSES),
        ),
        migrations.RunPython(name_measurements, name_research),
    ]
