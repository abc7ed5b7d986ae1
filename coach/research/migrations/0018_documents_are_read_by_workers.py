from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("research", "0017_copies_of_every_interview")]

    operations = [
        migrations.AddField(
            model_name="bundleimport",
            name="kind",
            field=models.CharField(
                choices=[
                    ("project", "Bundle or project"),
                    ("transcript", "Transcript"),
                    ("codebook", "Codebook"),
                ],
                default="project",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="bundleimport",
            name="found",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
