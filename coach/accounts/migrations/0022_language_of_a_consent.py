"""In which language somebody read what they agreed to; empty where that was not kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0021_a_clock_ends_on_a_day")]

    operations = [
        migrations.AddField(
            model_name="consent",
            name="language",
            field=models.CharField(
                blank=True,
                choices=[("en", "English"), ("fr", "Français")],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
    ]
