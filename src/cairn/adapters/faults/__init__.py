"""Deaths and failing disks on demand, for the tests that kill Cairn at every moment."""
