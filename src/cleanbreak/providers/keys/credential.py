"""A key, and the names under which its use is counted."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Credential:
    """One key of a provider. The key itself is in no ``repr``, comparison or message.

    ``allowed_models`` empty means all. ``scope_name`` is the name that stands for the quota where
    keys have no project: two files with one key are one quota.
    """

    provider_id: str
    name: str
    key: str = field(repr=False, compare=False)
    project_id: str | None = None
    allowed_models: frozenset[str] = frozenset()
    scope_name: str = ""

    @property
    def quota_scope(self) -> str:
        """What the provider counts requests against: the project, else the key.

        >>> Credential("openai", "home", "…").quota_scope
        'openai:credential:home'
        """
        if self.project_id:
            return f"{self.provider_id}:project:{self.project_id}"
        return f"{self.provider_id}:credential:{self.scope_name or self.name}"

    @property
    def identity(self) -> tuple[str, str]:
        """The quota and the key: another key under the same name is another identity."""
        return self.quota_scope, self.key

    def allows(self, model_id: str) -> bool:
        """Whether the key may be used for a model; ids are compared exactly."""
        return not self.allowed_models or model_id in self.allowed_models


def model_bucket(quota_scope: str, model_id: str) -> str:
    """The name under which one model's use of a quota is counted."""
    return f"{quota_scope}:model:{model_id}"


def shared_bucket(quota_scope: str) -> str:
    """The name under which the use of a quota by all models is counted."""
    return f"{quota_scope}:all-models"
