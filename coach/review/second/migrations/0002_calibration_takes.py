import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0001_initial"), ("second", "0001_opinions")]

    operations = [
        migrations.RenameModel("Clip", "CalibrationTake"),
        migrations.AlterField(
            "calibrationtake",
            "rehearsal",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="calibration_take",
                to="rehearsals.rehearsal",
            ),
        ),
    ]
