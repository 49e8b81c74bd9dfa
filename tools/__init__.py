"""Tools for developers, and the generator of the documentation."""
