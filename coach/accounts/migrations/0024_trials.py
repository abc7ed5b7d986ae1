"""When the trial of a visitor without an account ends; empty for everybody else."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0023_names_in_the_log")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="trial_ends_at",
            field=models.DateTimeField(db_index=True, editable=False, null=True),
        ),
    ]
