import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Max, OuterRef, Subquery


def note_last_takes(apps, schema_editor):
    Rehearsal = apps.get_model("rehearsals", "Rehearsal")
    Talk = apps.get_model("rehearsals", "Talk")
    of_talk = Rehearsal.objects.filter(talk=OuterRef("pk")).order_by().values("talk")
    last = of_talk.annotate(last=Max("created_at")).values("last")
    Talk.objects.filter(takes__isnull=False).update(last_take_at=Subquery(last))


class Migration(migrations.Migration):
    dependencies = [
        ("rehearsals", "0018_guests_who_looked"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="talk",
            name="last_take_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.RunPython(note_last_takes, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="talk",
            index=models.Index(fields=["owner", "-last_take_at"], name="talks_of_a_person"),
        ),
    ]
