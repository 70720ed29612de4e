"""Plain values and pure functions, without any database: the logs of tables, seats, levels, results, ratings, talk."""
