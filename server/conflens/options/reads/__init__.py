"""Places where the value of an option enters the program: calls of reading APIs, and methods that wrap them."""
