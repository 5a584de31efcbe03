"""Parquet files with values that no honest program writes: beyond the precision that a column
declares, before the first instant there is. Uncompressed, one row group, no NULLs; numbers of 64
bits only. The footer is Thrift's compact protocol."""
import struct

INT64 = 2
ZIGZAG_32, ZIGZAG_64, BYTES, LIST, STRUCT = 5, 6, 8, 9, 12


def number(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def signed(value):
    return number(value * 2 if value >= 0 else -value * 2 - 1)


def fields(*given):
    """A struct of (id, type, encoded value); True and False are types of their own."""
    out, last = b"", 0
    for field, kind, value in given:
        if isinstance(kind, bool):
            kind, value = (1 if kind else 2), b""
        out += bytes([(field - last) << 4 | kind]) + value
        last = field
    return out + b"\0"


def listed(kind, values):
    return bytes([len(values) << 4 | kind]) + b"".join(values)


def text(value):
    return number(len(value)) + value.encode()


def decimal(precision, scale):
    return [(6, ZIGZAG_32, signed(5)), (7, ZIGZAG_32, signed(scale)), (8, ZIGZAG_32, signed(precision))]


def timestamp():
    microseconds = fields((2, STRUCT, fields()))
    return [(10, STRUCT, fields((8, STRUCT, fields((1, False, b""), (2, STRUCT, microseconds)))))]


def write(path, columns):
    """columns: {name: (what the type is called, its values)}"""
    body, chunks, schema = b"PAR1", [], []
    for name, (logical, values) in columns.items():
        data = b"".join(struct.pack("<q", value) for value in values)
        page = fields((1, ZIGZAG_32, signed(0)), (2, ZIGZAG_32, signed(len(data))), (3, ZIGZAG_32, signed(len(data))),
                      (5, STRUCT, fields((1, ZIGZAG_32, signed(len(values))), (2, ZIGZAG_32, signed(0)),
                                         (3, ZIGZAG_32, signed(3)), (4, ZIGZAG_32, signed(3)))))
        place, size = len(body), len(page) + len(data)
        body += page + data
        chunks.append(fields((2, ZIGZAG_64, signed(place)), (3, STRUCT, fields(
            (1, ZIGZAG_32, signed(INT64)), (2, LIST, listed(ZIGZAG_32, [signed(0)])), (3, LIST, listed(BYTES, [text(name)])),
            (4, ZIGZAG_32, signed(0)), (5, ZIGZAG_64, signed(len(values))), (6, ZIGZAG_64, signed(size)),
            (7, ZIGZAG_64, signed(size)), (9, ZIGZAG_64, signed(place))))))
        schema.append(fields((1, ZIGZAG_32, signed(INT64)), (3, ZIGZAG_32, signed(0)), (4, BYTES, text(name)), *logical))
    rows = len(values)
    root = fields((4, BYTES, text("root")), (5, ZIGZAG_32, signed(len(columns))))
    group = fields((1, LIST, listed(STRUCT, chunks)), (2, ZIGZAG_64, signed(len(body))), (3, ZIGZAG_64, signed(rows)))
    footer = fields((1, ZIGZAG_32, signed(1)), (2, LIST, listed(STRUCT, [root, *schema])), (3, ZIGZAG_64, signed(rows)),
                    (4, LIST, listed(STRUCT, [group])))
    path.write_bytes(body + footer + struct.pack("<i", len(footer)) + b"PAR1")
