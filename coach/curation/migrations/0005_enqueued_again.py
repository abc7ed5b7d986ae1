from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("curation", "0004_kept_statistics")]

    operations = [
        migrations.RenameField("dryrun", "rung_at", "enqueued_again_at"),
    ]
