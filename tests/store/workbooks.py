"""Hand-made workbooks, so that tests can make ones that no spreadsheet program writes."""

import io
import zipfile
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts><font/></fonts><fills><fill><patternFill/></fill></fills>'
    "<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>"
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>'
)
"""Style 1 is a date."""


def cell(value):
    """Return a cell's XML: text, a number, True, or XML as it is (`<c …`)."""
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    if value.startswith("<c"):
        return value
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def rows_xml(rows):
    """Return a sheet's XML."""
    return "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)


def sheet_xml(inside, before=""):
    return (
        f'<?xml version="1.0"?>{before}<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData></worksheet>'
    )


def workbook(
    *sheets, names=("Anmeldung", "Helfer", "Kasse"), states=("", "", ""), method=zipfile.ZIP_DEFLATED, **parts
):
    """Return a workbook's bytes.

    sheets: rows of values, or XML; parts: contents by path, with `__` for `/` and `_dot_` for `.`
    """
    extra_parts = {path.replace("__", "/").replace("_dot_", "."): content for path, content in parts.items()}
    listed = "".join(
        f'<sheet name="{names[at]}" sheetId="{at + 1}" r:id="rId{at + 1}"{states[at]}/>'
        for at in range(len(sheets))
    )
    related = "".join(
        f'<Relationship Id="rId{at + 1}" Type="{RELATIONS}/worksheet" Target="worksheets/sheet{at + 1}.xml"/>'
        for at in range(len(sheets))
    )
    text = "".join(
        f'<Override PartName="/xl/worksheets/sheet{at + 1}.xml" ContentType="{KINDS}.worksheet+xml"/>'
        for at in range(len(sheets))
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default '
        'Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{KINDS}.sheet.main+xml"/><Override PartName="/xl/styles.xml" '
        f'ContentType="{KINDS}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" '
        f'ContentType="{KINDS}.sharedStrings+xml"/>{text}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" '
        f'xmlns:r="{RELATIONS}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": "<Relationships "
        f'xmlns="{PACKAGE}/relationships">{related}<Relationship Id="rId90" Type="{RELATIONS}/styles" '
        f'Target="styles.xml"/><Relationship Id="rId91" Type="{RELATIONS}/sharedStrings" '
        'Target="sharedStrings.xml"/></Relationships>',
        "xl/styles.xml": STYLES,
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>shared</t></si></sst>',
        **{
            f"xl/worksheets/sheet{at + 1}.xml": sheet
            if isinstance(sheet, str)
            else sheet_xml(rows_xml(sheet))
            for at, sheet in enumerate(sheets)
        },
        **extra_parts,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as out:
        for path, content in files.items():
            out.writestr(path, content)
    return packed.getvalue()
