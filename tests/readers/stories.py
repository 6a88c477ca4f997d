"""One story as HTML, DOCX, ODT and RTF: headings, a list, a table, notes, powers, changes."""

import io
import zipfile
from collections.abc import Mapping

TEXT = """The Keeper of Sand Point

It was ten at night — the “lamp” was lit, and 10^6 moths came.

A note on moths, with care.

1. First he trimmed the wick.
2. Then he wound the clock.

Night\tMoths
first\t106
second\t210

The table has a note.

The Storm

He said no and left. The café was shut: été, 灯台, 😀.

The last words."""

HTML = """<!DOCTYPE html><html lang="en"><head><title>Sand Point</title><meta name="author"
content="Ann Lee"><script>no()</script></head><body>
<h1>The Keeper of Sand Point</h1>
<p>It was ten at night &mdash; the &ldquo;lamp&rdquo; was lit<sup><a href="#n1">1</a></sup>, and
10<sup>6</sup> moths came.<p id=n1>A note on moths, with care.
<ol><li>First he trimmed the wick.<li>Then he wound the clock.</ol>
<table><tr><td>Night<td>Moths<tr><td>first<td>106<tr><td>second<td>210</table>
<p>The table has a note.
<h2>The Storm</h2><p>He said no<span hidden> or yes</span> and left. The caf&eacute; was shut: été, 灯台, 😀.
<p>The last words.</body></html>"""

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(files: Mapping[str, str], mimetype: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        if mimetype:
            zipped.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        for name, text in files.items():
            zipped.writestr(name, text)
    return out.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A DOCX file with that body, and more parts such as ``footnotes``."""
    types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'

    def relations(**targets: str) -> str:
        inner = "".join(
            f'<Relationship Id="r{kind}{number}" Type="{R}/{kind.rstrip("0123456789")}" Target="{target}"/>'
            for number, (kind, target) in enumerate(targets.items())
        )
        return f'<Relationships xmlns="x">{inner}</Relationships>'

    files = {
        "[Content_Types].xml": types,
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/document.xml": wordml("document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": relations(**{name: f"{name}.xml" for name in parts}),
        "docProps/core.xml": '<c xmlns:dc="x"><dc:title>Sand Point</dc:title><dc:creator>Ann Lee</dc:creator></c>',
    }
    files |= {f"word/{name}.xml": wordml(name, content) for name, content in parts.items()}
    return archive(files)


def wordml(root: str, content: str) -> str:
    namespaces = (
        f'xmlns:w="{W}" xmlns:mc="mc" xmlns:wps="wps" xmlns:v="v" xmlns:wp="wp" xmlns:m="m"'
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {namespaces}>{content}</w:{root}>'


def wp(*runs: str, style: str = "", properties: str = "") -> str:
    """A paragraph of a DOCX file; a run that is no markup is text."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{''.join(map(wr, runs))}</w:p>"


def wr(run: str) -> str:
    return run if run.startswith("<") else f'<w:r><w:t xml:space="preserve">{run}</w:t></w:r>'


def wnote(kind: str, number: int) -> str:
    return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'


def wtable(*rows: list[str]) -> str:
    return (
        "<w:tbl>"
        + "".join(
            "<w:tr>"
            + "".join(f"<w:tc><w:tcPr/>{wp(*cell.split('|'))}</w:tc>" for cell in row)
            + "</w:tr>"
            for row in rows
        )
        + "</w:tbl>"
    )


STYLES = (
    '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="H2"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:styleId="B2"><w:name w:val="Based"/><w:basedOn w:val="H2"/></w:style>'
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
    '<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/>'
    '<w:lvlText w:val="%1.%2)"/></w:lvl><w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/>'
    '<w:lvlText w:val="-"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>'
)


def item(depth: int, number: str = "3") -> str:
    return f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'


def docx_story() -> bytes:
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>6</w:t></w:r>'
    deleted = "<w:del><w:r><w:delText> or yes</w:delText></w:r></w:del>"
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t> maybe</w:t></w:r>"
    box = "<w:txbxContent>" + wp("The last words.") + "</w:txbxContent>"
    twice = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing>"
        f"</mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    body = (
        wp("The Keeper of Sand Point", style="H1")
        + wp("It was ten at night — the “lamp” was lit", wnote("footnote", 2), ", and 10", raised, " moths came.")
        + wp("First he trimmed the wick.", properties=item(0))
        + f"<w:sdt><w:sdtContent>{wp('Then he wound the clock.', properties=item(0))}</w:sdtContent></w:sdt>"
        + wtable(["Night", "Moths"], ["first", f"106|{wnote('endnote', 4)}"], ["second", "210"])
        + wp("The Storm", style="B2")
        + wp("He said no", deleted, hidden, "<w:ins>" + wr(" and left.") + "</w:ins>", " The café was shut: été, 灯台, 😀.", twice)
    )  # fmt: skip
    notes = '<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote><w:footnote w:id="2">'
    return docx(
        body,
        styles=STYLES,
        numbering=NUMBERING,
        footnotes=notes + wp("<w:r><w:footnoteRef/></w:r>", "A note on moths, with care.") + "</w:footnote>",
        endnotes=f'<w:endnote w:id="4">{wp("The table has a note.")}</w:endnote>',
        header1=wp("Sand Point, page 1"),
    )  # fmt: skip


ODF = "urn:oasis:names:tc:opendocument:xmlns:"
ODT = "application/vnd.oasis.opendocument.text"
NAMESPACES = " ".join(
    f'xmlns:{short}="{ODF}{name}"'
    for short, name in {
        "office": "office:1.0", "text": "text:1.0", "table": "table:1.0", "draw": "drawing:1.0",
        "style": "style:1.0", "svg": "svg-compatible:1.0",
    }.items()
)  # fmt: skip


def odt(
    body: str, styles: str = "", page_styles: str = "", files: Mapping[str, str] | None = None
) -> bytes:
    """An ODT file with that text, those automatic styles and more files."""
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {NAMESPACES}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    files = {
        **(files or {}),
        "content.xml": content,
        "styles.xml": f"<office:document-styles {NAMESPACES}>{page_styles}</office:document-styles>",
        "meta.xml": '<m xmlns:dc="x"><dc:title>Sand Point</dc:title><dc:creator>Ann Lee</dc:creator></m>',
    }
    return archive(files, ODT)


def odt_note(text: str) -> str:
    return (
        "<text:note><text:note-citation>1</text:note-citation>"
        f"<text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
    )


ODT_STYLES = (
    '<style:style style:name="up"><style:text-properties style:text-position="super 58%"/></style:style>'
    '<style:style style:name="gone"><style:text-properties text:display="none"/></style:style>'
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="."/></text:list-style>'
)


def odt_story() -> bytes:
    def row(*cells: str) -> str:
        inner = "".join(
            f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells
        )
        return f"<table:table-row>{inner}</table:table-row>"

    table_note = odt_note("The table has a note.")
    box = "<draw:frame><draw:text-box><text:p>The last words.</text:p></draw:text-box></draw:frame>"
    deleted = "<text:tracked-changes><text:changed-region><text:p>or yes</text:p></text:changed-region></text:tracked-changes>"
    body = (
        f"{deleted}<text:h text:outline-level='1'>The Keeper of Sand Point</text:h>"
        f"<text:p>It was ten at night — the “lamp” was lit{odt_note('A note on moths, with care.')}, and\n"
        '10<text:span text:style-name="up">6</text:span> moths<text:s/>came.</text:p>'
        '<text:list text:style-name="L1"><text:list-item><text:p>First he trimmed the wick.</text:p></text:list-item>'
        "<text:list-item><text:p>Then he wound the clock.</text:p></text:list-item></text:list>"
        f"<table:table>{row('Night', 'Moths')}{row('first', '106' + table_note)}{row('second', '210')}</table:table>"
        "<text:section><text:h text:outline-level='2'>The Storm</text:h></text:section>"
        '<text:p>He said no<text:span text:style-name="gone"> maybe</text:span> and left. The café was shut: '
        f"été, 灯台, 😀.{box}</text:p>"
    )  # fmt: skip
    heads = "<style:header><text:p>Sand Point, page 1</text:p></style:header>"
    return odt(body, ODT_STYLES, heads)


RTF = rb"""{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\fnil\fcharset0 Times;}{\f1\fcharset128 Mincho;}}
{\stylesheet{\s0 Normal;}{\s1\sbasedon0\snext0\outlinelevel0 heading 1;}{\s2\fs28 heading 2;}}
{\info{\title Sand Point}{\author Ann Lee}}{\*\generator none;}{\header\pard Sand Point, page 1\par}
\pard\s1 The Keeper of Sand Point\par
\pard\plain It was ten at night \emdash  the \ldblquote lamp\rdblquote  was lit{\super\chftn
{\footnote\pard\plain{\super\chftn} A note on moths, with care.}}, and 10{\super 6} moths came.\par
{\listtext\f0 1.\tab}First he trimmed the wick.\par{\listtext 2.\tab}Then he wound the clock.\par
\trowd\cellx100\cellx200\pard\intbl Night\cell Moths\cell\row
\trowd\pard\intbl first\cell 106{\footnote The table has a note.}\cell\row
\trowd\pard\intbl second\cell 210\cell\row
\pard\s2 The Storm\par
\pard He said no{\deleted  or yes}{\v  maybe} and left. The caf\'e9 was shut: \u233?t\u233\'e9, {\f1\'93\'94\'91\'e4}, \u-10179?\u-8704?.
{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard The last words.\par}}{\shprslt\pard The last words.\par}}\par
{\pict\wmetafile8\bin4 }\{\}\pard}}"""
RTF = RTF.replace(rb"{\pict\wmetafile8\bin4 }\{\}\pard", b"")
