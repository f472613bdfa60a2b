"""The Universal Game Interface: the engine as a server (`server.serve`)."""
