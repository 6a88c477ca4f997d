"""Keys to providers: where they are found, and which may be used now."""

from cleanbreak.providers.keys.credential import Credential
from cleanbreak.providers.keys.lease import Lease
from cleanbreak.providers.keys.rate_limit import RateLimit
from cleanbreak.providers.keys.scheduler import KeyScheduler

__all__ = ["Credential", "KeyScheduler", "Lease", "RateLimit"]
