"""Background work: queues, leases, their holders, and database outages."""
