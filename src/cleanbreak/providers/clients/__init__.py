"""Asking providers over HTTP: one module a protocol, and one that sends."""
