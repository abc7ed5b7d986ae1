from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0011_accessgrant_needed_by")]

    operations = [
        migrations.AddField(
            model_name="rehearsal",
            name="speaks_as",
            field=models.CharField(
                blank=True,
                choices=[("first", "Yes"), ("second", "No, I learned it later")],
                default="",
                max_length=6,
            ),
            preserve_default=False,
        ),
    ]
