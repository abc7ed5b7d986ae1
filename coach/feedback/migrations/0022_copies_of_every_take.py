"""Queue the copy for playback of takes that had none since browsers play their original."""

from datetime import timedelta

from django.db import migrations
from django.db.models import OuterRef, Subquery
from django.utils import timezone

# Behind everything that people wait for: work is done in the order in which it is due.
AFTER_EVERYTHING = timedelta(days=30)


def queue_copies(apps, schema_editor):
    Run, Stage = apps.get_model("feedback", "Run"), apps.get_model("feedback", "Stage")
    newest = Run.objects.filter(rehearsal=OuterRef("run__rehearsal")).order_by("-created_at")
    now = timezone.now()
    Stage.objects.filter(
        name="playback",
        state="skipped",
        run=Subquery(newest.values("pk")[:1]),
        run__state="done",
        run__rehearsal__has_copy=False,
        run__rehearsal__media_removed_at=None,
    ).update(
        state="queued",
        queue="media",
        attempts=0,
        progress=0,
        finished_at=None,
        queued_at=now,
        due_at=now + AFTER_EVERYTHING,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("feedback", "0021_what_each_take_lent"),
        ("rehearsals", "0024_camera_as_before"),
    ]
    operations = [migrations.RunPython(queue_copies, migrations.RunPython.noop)]
