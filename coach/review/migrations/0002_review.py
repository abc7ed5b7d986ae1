"""A claim becomes a review: the row that waits, which a coach claims.

Leases last minutes, so what stands now is not carried over: an open desk claims again by itself.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rehearsals', '0007_answered_at'),
        ('review', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.DeleteModel(name='Claim'),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uncertainty', models.FloatField(default=0)),
                ('is_on_trial', models.BooleanField(default=False)),
                ('is_first', models.BooleanField(default=False)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('meant_until', models.DateTimeField(blank=True, null=True)),
                ('handed_note', models.CharField(blank=True, max_length=500)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('handled_seconds', models.FloatField(blank=True, null=True)),
                ('coach', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reviews', to=settings.AUTH_USER_MODEL)),
                ('grant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to='rehearsals.accessgrant')),
                ('meant_for', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rehearsal', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review', to='rehearsals.rehearsal')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('finished_at__isnull', True)), fields=['grant'], name='reviews_that_wait'), models.Index(condition=models.Q(('handled_seconds__isnull', False)), fields=['-finished_at'], name='reviews_handled_lately')],
            },
        ),
    ]
