"""Tests of the workshop, where people change sets of cards."""
