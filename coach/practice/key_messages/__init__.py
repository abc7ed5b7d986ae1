"""Key messages of a talk: up to three sentences to remember, and where each take says them."""
