"""What the database knows of the place Cards."""
