"""The shared types, the ports, the extension points and the registry. Pure."""
