"""Receipts of what was deleted; and who had sent a take to their coach had agreed to just that."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Min


def agreed_by_sending(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """A consent since the first sending that still stands; which wording was read is not known."""
    consents = apps.get_model("accounts", "Consent").objects
    grants = apps.get_model("rehearsals", "AccessGrant").objects
    standing = grants.filter(revoked_at=None, cohort__isnull=False)
    for owner, since in standing.values_list("rehearsal__owner").annotate(since=Min("created_at")):
        consent, _new = consents.get_or_create(user_id=owner, purpose="coach", withdrawn_at=None)
        consents.filter(pk=consent.pk).update(given_at=since)


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0002_begun_forms"),
        ("accounts", "0017_consent_by_purpose"),
        ("rehearsals", "0019_talks_in_order"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("what", models.CharField(choices=[("take", "Take"), ("everything", "Everything")], max_length=12)),
                ("made_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                ("takes", django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)),
                ("rows", models.JSONField(default=dict)),
                ("rows_left", models.PositiveIntegerField(default=0)),
                ("copies", models.JSONField(default=list)),
                ("owner", models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="receipts", to=settings.AUTH_USER_MODEL)),
            ],
            options={"ordering": ["-made_at"]},
        ),
        migrations.CreateModel(
            name="HiddenSteps",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("part", models.CharField(max_length=20)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="hidden_steps", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "part"), name="first_steps_hidden_once")],
            },
        ),
        migrations.RunPython(agreed_by_sending, migrations.RunPython.noop),
    ]
