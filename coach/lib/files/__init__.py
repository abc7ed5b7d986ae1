"""Files and streams: tables, archives built while they are sent, full disks."""
