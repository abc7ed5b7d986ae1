from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0003_rehearsal_part")]

    operations = [
        migrations.AddField(
            model_name="rehearsal",
            name="shows_slides",
            field=models.BooleanField(default=False),
        ),
    ]
