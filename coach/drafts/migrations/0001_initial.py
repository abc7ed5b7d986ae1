"""Make the table of saved drafts and fill it from the three tables of before."""

import uuid
from datetime import timedelta

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

AUTOSAVED_FOR = timedelta(days=14)
SUBMITTED_FOR = timedelta(hours=24)
BATCH = 500


def copy_drafts(apps, schema_editor):
    alias = schema_editor.connection.alias
    drafts = apps.get_model("drafts", "FormDraft").objects.using(alias)
    for label, name, make in (
        ("portal", "BegunForm", _of_begun_form),
        ("portal", "KeptForm", _of_kept_form),
        ("feedback", "Unsent", _of_unsent),
    ):
        rows = apps.get_model(label, name).objects.using(alias)
        if name == "Unsent":
            # Several versions of one take may have the same form: the newest text counts.
            rows = rows.select_related("feedback").order_by("-at", "-pk")
        made = (drafts.model(**make(row)) for row in rows.iterator(chunk_size=BATCH))
        drafts.bulk_create(made, batch_size=BATCH, ignore_conflicts=name == "Unsent")


def _of_begun_form(row):
    return {
        "id": row.id,
        "user_id": row.user_id,
        "page": row.page,
        "form": row.form,
        "fields": [list(pair) for pair in row.fields.items()],
        "saved_at": row.kept_at,
        "expires_at": row.kept_at + AUTOSAVED_FOR,
    }


def _of_kept_form(row):
    return {
        "id": row.id,
        "user_id": row.user_id,
        "is_submitted": True,
        "page": row.page,
        "form": row.url,
        "fields": row.fields,
        "files": row.files,
        "saved_at": row.kept_at,
        "expires_at": row.kept_at + SUBMITTED_FOR,
    }


def _of_unsent(row):
    return {
        "user_id": row.coach_id,
        "page": f"/review/{row.feedback.rehearsal_id}/",
        "form": row.form,
        "fields": [list(pair) for pair in row.fields.items()],
        "saved_at": row.at,
    }


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("feedback", "0022_copies_of_every_take"),
        ("portal", "0004_receipts_of_interviews"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="FormDraft",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("is_submitted", models.BooleanField(default=False)),
                ("page", models.TextField(blank=True)),
                ("form", models.TextField()),
                ("fields", models.JSONField(default=list)),
                ("files", models.JSONField(default=list)),
                ("saved_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, db_index=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="form_drafts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-saved_at"]},
        ),
        migrations.AddConstraint(
            model_name="formdraft",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_submitted", False)),
                fields=("user", "page", "form"),
                name="one_autosaved_draft_a_form",
            ),
        ),
        migrations.RunPython(copy_drafts, migrations.RunPython.noop),
    ]
