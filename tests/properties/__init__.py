"""Property tests: the package beside the reference, and the reference beside the rules."""
