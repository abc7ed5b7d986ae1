"""British date formats for English pages, not those of the United States
(`coach.lib.words.dates`).
"""
