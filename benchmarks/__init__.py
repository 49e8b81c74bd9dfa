"""Speed and bytes as ratios within one run: `make bench` writes benchmarks/RESULTS.md."""
