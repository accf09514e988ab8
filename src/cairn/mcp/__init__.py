"""What agents reach over the Model Context Protocol: tools, resources and prompts, over the functions of commands."""
