"""Choosing a set of Robin by touch and by keyboard, in Chromium."""
