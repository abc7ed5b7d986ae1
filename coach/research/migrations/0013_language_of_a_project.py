from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("research", "0012_formats_in_full")]

    operations = [
        migrations.AddField(
            model_name="bundleimport",
            name="language",
            field=models.CharField(blank=True, max_length=8),
        ),
    ]
