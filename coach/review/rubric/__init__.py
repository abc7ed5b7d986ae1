"""What a coach makes of a talk, quality by quality, in levels with words; people judge, only."""
