"""Questions after a talk: a bank, questions built from the talk, answers, coaches' comments."""
