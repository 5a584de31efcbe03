"""The DuckDB that ships, by its C interface: tests that write Parquet and databases need no other."""
import ctypes


class Result(ctypes.Structure):
    _fields_ = [("opaque", ctypes.c_uint64 * 8)]


class Writer:
    """with Writer(LIBRARY, "old.duckdb") as writer: writer.run("CREATE TABLE ...")"""

    def __init__(self, library, path=None):
        self.duckdb = ctypes.CDLL(str(library))
        self.duckdb.duckdb_result_error.restype = ctypes.c_char_p
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.duckdb.duckdb_open(str(path).encode() if path else None, ctypes.byref(self.database)) == 0
        assert self.duckdb.duckdb_connect(self.database, ctypes.byref(self.connection)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.duckdb.duckdb_disconnect(ctypes.byref(self.connection))
        self.duckdb.duckdb_close(ctypes.byref(self.database))

    def run(self, sql):
        result = Result()
        good = self.duckdb.duckdb_query(self.connection, sql.encode(), ctypes.byref(result)) == 0
        said = "" if good else self.duckdb.duckdb_result_error(ctypes.byref(result)).decode()
        self.duckdb.duckdb_destroy_result(ctypes.byref(result))
        assert good, f"{sql}\n{said}"

    def parquet(self, path, select, options=""):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.run(f"COPY ({select}) TO '{path}' (FORMAT parquet{options})")
        path.chmod(0o600)
