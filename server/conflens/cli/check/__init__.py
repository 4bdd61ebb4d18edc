"""The command `check`: findings as table, JSON and SARIF."""
