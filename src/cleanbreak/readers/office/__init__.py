"""Office documents into text with structure: DOCX, ODT and RTF."""
