"""Queue the copy for playback of interview recordings that had none."""

from django.db import migrations
from django.utils import timezone


def queue_copies(apps, schema_editor):
    recordings = apps.get_model("research", "Recording").objects
    recordings.filter(
        state="done", has_copy=False, removed_at=None, media_key__isnull=False
    ).update(state="queued", step="playback", attempts=0, progress=0, queued_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("research", "0016_newest_consent")]
    operations = [migrations.RunPython(queue_copies, migrations.RunPython.noop)]
