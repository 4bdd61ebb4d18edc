"""What holds for all tests: their patience."""

from hypothesis import HealthCheck, settings

from patience import raise_limits

# What is drawn is the same in every run; how long an example takes says nothing.
settings.register_profile(
    "house",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("house")


def pytest_configure() -> None:
    """Let nothing be late."""
    raise_limits()
