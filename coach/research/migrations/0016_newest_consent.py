"""A bundle knows which words on consent it was made after; clocks of machines differ."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("research", "0015_tables_name_nobody")]

    operations = [
        migrations.AddField(
            model_name="export",
            name="newest_consent",
            field=models.BigIntegerField(blank=True, editable=False, null=True),
        ),
    ]
