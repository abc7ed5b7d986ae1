from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rehearsals", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="rehearsal",
            name="looks_into_lens_first",
            field=models.BooleanField(default=False),
        ),
    ]
