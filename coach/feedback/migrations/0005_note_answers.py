"""What was released before grants knew of it waits for nobody."""

from django.db import migrations
from django.db.models import Min, OuterRef, Subquery


def note_answers(apps, schema_editor):
    released = (
        apps.get_model("feedback", "Feedback")
        .objects.filter(rehearsal=OuterRef("rehearsal"), state="released")
        .order_by()
        .values("rehearsal")
        .annotate(first=Min("released_at"))
        .values("first")
    )
    grants = apps.get_model("rehearsals", "AccessGrant").objects.filter(answered_at=None)
    grants.update(answered_at=Subquery(released))


class Migration(migrations.Migration):
    dependencies = [
        ("feedback", "0004_leases_name_their_holder"),
        ("rehearsals", "0007_answered_at"),
    ]

    operations = [migrations.RunPython(note_answers, migrations.RunPython.noop)]
