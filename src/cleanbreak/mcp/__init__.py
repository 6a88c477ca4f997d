"""The MCP server: an assistant searches worlds and vaults and reads in them (extra ``mcp``)."""

from cleanbreak.mcp.server import make_server

__all__ = ["make_server"]
