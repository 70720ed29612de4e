"""Work that goes on beside the server, in processes of their own: bots that think, and texts that are read."""
