"""Compiling: how rules become machine code, where that code is kept, and how it is called."""
