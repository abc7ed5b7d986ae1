"""Work that waits in a row: queues, leases, who holds one, and a database that is away."""
