"""The one key that tests have: whatever a test prints, writes or raises, it must not be in it."""

CANARY = "sk-canary-7f3a91c2d5e84b60"
