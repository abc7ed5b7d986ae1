"""The comment bank: sentences that coaches say often, offered while they type."""
