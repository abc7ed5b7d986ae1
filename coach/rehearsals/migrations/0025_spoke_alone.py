from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rehearsals', '0024_camera_as_before'),
    ]

    operations = [
        migrations.AddField(
            model_name='rehearsal',
            name='spoke_alone',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
