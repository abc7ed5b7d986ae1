"""What the studio's pages show, as plain values."""
