"""What both databases share: the named queries, the rows, and the store built on them."""
