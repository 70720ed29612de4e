"""What the benchmarks are made of. The commands stand in the folder above this one.

A folder here holds the modules of the command that has its name. The files beside the folders serve several commands.
"""
