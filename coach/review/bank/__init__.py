"""The comment bank: coaches' frequent sentences, suggested while they type."""
