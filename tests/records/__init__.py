"""Game records: one, and files of them."""
