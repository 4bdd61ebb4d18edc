"""What of a run's configuration must not be kept: what ``base.secrets`` calls a secret.

Invariant: of a redacted value no text is kept, only a digest that tells whether two values are equal, and that only to
whoever has the salt; without a salt there is no digest.
"""

from __future__ import annotations

import hashlib
import hmac

from conflens.base.secrets import glued_secret, is_secret
from conflens.profiling.model import RunValue


def redacted(value: RunValue, salt: bytes) -> RunValue:
    """Return the value, without its text if that is a secret.

    ``salt``: random bytes; digests made with equal ones can be compared.
    """
    name, colon, given = value.name.partition(":")
    if colon and given and not value.value and is_secret(name, given):
        # ``--password:hunter2``, which is all name to who looks for an equals sign.
        value = value._replace(name=name, value=given)
    elif secret := glued_secret(value.name):
        # ``-pSECRET``, likewise; what follows it may belong to it or not.
        value = value._replace(
            name=value.name.removesuffix(secret), value=f"{secret} {value.value}".strip()
        )
    if not is_secret(value.name, value.value):
        return value
    digest = ""
    if salt:
        digest = hmac.new(salt, value.value.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
    return value._replace(value="", redacted=True, digest=digest[:32])
