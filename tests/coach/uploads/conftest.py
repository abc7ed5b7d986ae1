"""Who sends recordings here."""

from __future__ import annotations

import pytest

from coach.accounts.models import User
from tests.coach.conftest import SignIn
from tests.coach.uploads.tus_sender import Sender


@pytest.fixture
def sender(trainee: User, sign_in: SignIn) -> Sender:
    """Ana's client."""
    return Sender(sign_in(trainee))
