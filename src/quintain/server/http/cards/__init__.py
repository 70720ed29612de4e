"""The addresses of the place Cards, one module for each tab."""
