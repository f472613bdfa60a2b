"""The compiled core: no Python object, no GIL and no exception below `Position`, `Engine` and `perft`."""
