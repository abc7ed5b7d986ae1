import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F


def gather_takes(apps, schema_editor):
    """Takes of one person under one title were rehearsals of one talk; all of them are known."""
    Rehearsal = apps.get_model("rehearsals", "Rehearsal")
    Talk = apps.get_model("rehearsals", "Talk")
    of_title = {}
    takes = Rehearsal.objects.filter(talk=None).order_by("created_at")
    for pk, owner, title, at in takes.values_list("pk", "owner_id", "title", "created_at"):
        if (owner, title) not in of_title:
            talk = Talk.objects.create(owner_id=owner, title=title)
            Talk.objects.filter(pk=talk.pk).update(created_at=at)
            of_title[owner, title] = talk.pk
        Rehearsal.objects.filter(pk=pk).update(talk_id=of_title[owner, title])
    Rehearsal.objects.filter(opened_at=None).update(opened_at=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("rehearsals", "0015_resumable_uploads"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Talk",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="talks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="rehearsal",
            name="opened_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="rehearsal",
            name="talk",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="takes",
                to="rehearsals.talk",
            ),
        ),
        migrations.RunPython(gather_takes, migrations.RunPython.noop),
        # Rows that were changed have checks to come, with which PostgreSQL alters no table.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="rehearsal",
            name="talk",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="takes",
                to="rehearsals.talk",
            ),
        ),
    ]
