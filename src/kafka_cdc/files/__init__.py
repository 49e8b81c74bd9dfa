"""Landing from text files."""
