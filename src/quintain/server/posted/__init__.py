"""What people post: the fields of forms and JSON, read and checked, and the acts at tables that they ask for."""
