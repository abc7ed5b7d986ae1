"""French corpora: syllables, filler words, restarts and *euh* compared with labels."""
