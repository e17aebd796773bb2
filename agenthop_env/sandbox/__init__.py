"""The seven tools and the protocol."""
