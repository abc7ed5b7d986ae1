"""Each take has what it lent: an offer goes with the take that made it, not with a later one."""

import django.db.models.deletion
from django.db import migrations, models


def leave_what_older_takes_offered(apps, schema_editor):
    """Of those it is not known from which take they came; the newest is that of the row's own."""
    for lent in apps.get_model("feedback", "Lent").objects.exclude(offers=[]):
        lent.offers = [each for each in lent.offers if each["ago"] == 1]
        lent.save(update_fields=["offers"])


class Migration(migrations.Migration):
    dependencies = [("feedback", "0020_lent_offers")]

    operations = [
        migrations.AlterField(
            model_name="lent",
            name="feedback",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="lent",
                to="feedback.feedback",
            ),
        ),
        migrations.RunPython(leave_what_older_takes_offered, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="lent",
            constraint=models.UniqueConstraint(
                fields=("feedback", "take"), name="a_take_lends_once"
            ),
        ),
    ]
