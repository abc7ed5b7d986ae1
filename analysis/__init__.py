"""Analysis of a media file: file in, measurements out. Pure Python, without web framework, queue or
database.
"""
