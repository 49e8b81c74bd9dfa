"""Benchmarks of speed and bytes, as ratios within one run: `make bench`."""
