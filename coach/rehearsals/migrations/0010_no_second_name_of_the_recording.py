from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """It always said rehearsals/ID/original, which is where custody looks."""

    dependencies = [("rehearsals", "0009_look_for_posters_and_copies")]

    operations = [migrations.RemoveField("rehearsal", "media")]
