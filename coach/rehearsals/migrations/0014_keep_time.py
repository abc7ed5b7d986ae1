
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rehearsals', '0013_camera_in_front'),
    ]

    operations = [
        migrations.AddField(
            model_name='rehearsal',
            name='media_removed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='RetentionNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('media', 'Media'), ('reports', 'Reports')], max_length=10)),
                ('sent_at', models.DateTimeField()),
                ('rehearsal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='told', to='rehearsals.rehearsal')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('rehearsal', 'kind'), name='one_notice_for_each_kind')],
            },
        ),
    ]
