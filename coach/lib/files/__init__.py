"""Files and streams: tables, archives made while they are sent, a disk that is full."""
