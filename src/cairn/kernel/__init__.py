"""The nouns, the contracts and the scan. Nothing here touches a disk, a database or a network by itself."""
