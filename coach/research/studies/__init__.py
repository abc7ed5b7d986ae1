"""Studies: members, participants and consents."""
