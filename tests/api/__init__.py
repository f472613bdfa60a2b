"""The Python API as its users see it: vocabulary, types, errors, ownership."""
