from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("research", "0008_planned_takes")]

    operations = [
        migrations.RenameField("export", "rung_at", "enqueued_again_at"),
        migrations.RenameField("bundleimport", "rung_at", "enqueued_again_at"),
    ]
