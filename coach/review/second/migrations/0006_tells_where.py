from django.db import migrations, models
from django.db.models import Q


def say_which_do_not(apps, schema_editor):
    """Nobody could mark moments before 0003, and what a first coach moved was not written down."""
    Decision = apps.get_model("second", "Decision")
    Decision.objects.filter(Q(opinion__place="first") | Q(clips=[])).update(tells_where=False)


class Migration(migrations.Migration):
    dependencies = [
        ("second", "0005_clips_default"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="tells_where",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.RunPython(say_which_do_not, migrations.RunPython.noop),
    ]
