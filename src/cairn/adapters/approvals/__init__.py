"""Where approvals of this user are kept."""
