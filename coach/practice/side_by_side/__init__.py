"""Two takes of one talk side by side, matched sentence by sentence, for owners and coaches."""
