import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0008_words_that_name_nobody_are_counted"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="at")),
                ("action", models.CharField(max_length=60, verbose_name="action")),
                ("object_type", models.CharField(max_length=60, verbose_name="object type")),
                ("object_id", models.CharField(max_length=60, verbose_name="object id")),
                (
                    "address",
                    models.GenericIPAddressField(null=True, verbose_name="network address"),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="actor",
                    ),
                ),
            ],
            options={
                "verbose_name": "security event",
                "verbose_name_plural": "security log",
                "ordering": ["-at", "-pk"],
            },
        ),
    ]
