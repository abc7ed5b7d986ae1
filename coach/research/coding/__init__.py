"""Qualitative coding: interviews, the codebook, and coders' work on texts and takes."""
