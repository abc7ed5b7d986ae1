from __future__ import annotations

from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import migrations


def look(apps, _schema):
    """Until now every page looked at the disk; all there was then was a folder."""
    take = apps.get_model("rehearsals", "Rehearsal")
    root = Path(settings.MEDIA_ROOT) / "rehearsals"
    for name, field in (("poster.jpg", "has_poster"), ("playback", "has_copy")):
        there = [path.parent.name for path in root.glob(f"*/{name}") if is_id(path.parent.name)]
        for first in range(0, len(there), 500):
            take.objects.filter(pk__in=there[first : first + 500]).update(**{field: True})


def is_id(name):
    try:
        return bool(UUID(name))
    except ValueError:
        return False


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0008_what_lies_in_custody")]

    operations = [migrations.RunPython(look, migrations.RunPython.noop)]
