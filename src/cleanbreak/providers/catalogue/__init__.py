"""Which models exist and what they are: names, limits, prices; nothing here asks a provider."""

from cleanbreak.providers.catalogue.catalogue import Catalogue, catalogue
from cleanbreak.providers.catalogue.records import Limits, Model, Price, Provider, Quota

__all__ = ["Catalogue", "Limits", "Model", "Price", "Provider", "Quota", "catalogue"]
