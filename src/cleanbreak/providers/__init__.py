"""Language and embedding models: which exist, the keys to them, and the clients that ask them."""
