# One image for every role: web, workers, clock. The command decides (see docker-compose.yml).
FROM python:3.12.13-slim

# mediapipe loads the first two when it makes a landmarker, also without a screen, and OpenCV, which it
# imports, the others.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libgles2 libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/*

# The last three: libraries that want to keep something find no home that can be written to, and one
# of them (Numba, below librosa) does not start without a place. The web process listens as well,
# before somebody records.
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    DJANGO_SETTINGS_MODULE=coach.settings \
    ROSTRUM_PRODUCTION=True \
    ROSTRUM_DATA_DIR=/var/lib/rostrum \
    ROSTRUM_MODELS_DIR=/opt/rostrum-models \
    STATIC_ROOT=/opt/rostrum-static \
    MPLCONFIGDIR=/tmp \
    XDG_CACHE_HOME=/tmp \
    NUMBA_CACHE_DIR=/tmp

WORKDIR /app

# PyTorch first and alone. For the build without CUDA (a tenth of the size):
#   docker compose build --build-arg TORCH_INDEX=URL (the CPU index that pytorch.org names)
ARG TORCH_INDEX=
COPY constraints.txt requirements.lock ./
RUN pip install -c constraints.txt ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch \
    && pip install --require-hashes --no-deps -r requirements.lock \
    && pip check

# The weights are part of the image: no container fetches anything when it starts.
COPY analysis ./analysis
RUN python -m analysis models

COPY manage.py ./
COPY feedback_rules ./feedback_rules
COPY coach ./coach
COPY templates ./templates
COPY static ./static
COPY locale ./locale
# The site shows its guides itself.
COPY docs/accuracy.md ./docs/accuracy.md
COPY docs/pictures ./docs/pictures
COPY docs/tutorials ./docs/tutorials
COPY docs/guides ./docs/guides
COPY docs/reference ./docs/reference
COPY docs/privacy ./docs/privacy
COPY docs/fr ./docs/fr
RUN python -m coach.lib.catalogues compile

RUN useradd --system --create-home --uid 10001 rostrum \
    && mkdir -p /var/lib/rostrum/media /var/lib/rostrum/scratch /var/lib/rostrum/backups /opt/rostrum-static \
    && ROSTRUM_PRODUCTION=False SECRET_KEY=build-only DATABASE_URL=postgresql://build/only \
    python manage.py collectstatic --no-input \
    && chown -R rostrum:rostrum /var/lib/rostrum
USER rostrum

EXPOSE 8000
# The image alone is the web process; the other roles have their own command and health check.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/ready/', timeout=9)"]
CMD ["gunicorn", "coach.wsgi", "--config", "python:coach.serving", "--bind", "0.0.0.0:8000"]
