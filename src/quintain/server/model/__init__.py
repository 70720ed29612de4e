"""The log of a table: its entries, and what follows from them without any database."""
