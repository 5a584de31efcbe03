"""What pgAdmin 4 asks while somebody opens its tree down to a table: its own templates, filled in as it fills them in. Run by
run.py, with the folder of the templates as its argument."""
import os
import pathlib
import re
import sys
import unittest

import jinja2
import psycopg
from psycopg.rows import dict_row

FOLDER = pathlib.Path(sys.argv.pop(1))
VERSION = 15
# The pages that its browser asks for the tree, and for what stands beside it when a node is chosen.
TREE = ("databases", "schemas", "tables", "columns", "indexes", "index_constraint", "foreign_key", "check_constraint", "exclusion_constraint",
        "triggers", "rules", "row_security_policies", "views", "mviews", "sequences", "types", "roles", "tablespaces", "casts", "catalog",
        "event_triggers", "collations", "aggregates", "operators", "publications", "subscriptions", "partitions",
        "fts_configurations", "fts_dictionaries", "fts_parsers", "fts_templates")
CHOSEN = ("databases", "schemas", "tables", "columns", "indexes", "views", "roles", "sequences")
COUNTED = ("tables", "columns", "indexes", "triggers", "views")


def ident(_, *names):
    return ".".join(name if re.fullmatch(r"[a-z_][a-z0-9_$]*", name) else '"' + name.replace('"', '""') + '"' for name in names if name)


def literal(value, _=None, *__):
    return "NULL" if value is None else str(value) if isinstance(value, (int, bool)) else "'" + str(value).replace("'", "''") + "'"


class Pages:
    """The templates of all nodes, of which the newest for the server's version is taken."""

    def __init__(self, folder):
        roots = sorted({path.parents[0] for path in folder.rglob("templates/*/") if path.parent.name == "templates"})
        self.environment = jinja2.Environment(loader=jinja2.FileSystemLoader([str(root) for root in roots]), undefined=jinja2.ChainableUndefined)
        self.environment.filters |= {"qtIdent": ident, "qtLiteral": literal, "qtTypeIdent": ident, "hasAny": lambda given, keys: any(
            key in given for key in keys)}
        self.names = self.environment.list_templates(filter_func=lambda name: name.endswith(".sql"))

    def find(self, node, page):
        """schemas/pg/13_plus/sql/nodes.sql before schemas/pg/default/sql/nodes.sql."""
        def age(name):
            found = re.search(r"/(\d+)_plus/", name)
            return int(found[1]) if found else 0
        fitting = [name for name in self.names if name.startswith(f"{node}/") and name.endswith(f"/{page}.sql") and "/ppas/" not in name
                   and age(name) <= VERSION]
        return max(fitting, key=age, default=None)

    def fill_in(self, name, **values):
        return self.environment.get_template(name).render(conn=None, _=str, **values)


class PgAdmin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = Pages(FOLDER)
        cls.connection = psycopg.connect(os.environ["TACIT_DSN"], autocommit=True, row_factory=dict_row, prepare_threshold=None)
        ask = cls.connection.execute
        # What it sends on connecting, in one message.
        ask("SET DateStyle=ISO; SET client_min_messages=notice; SELECT set_config('bytea_output','hex',false) FROM "
            "pg_show_all_settings() WHERE name = 'bytea_output'; SET client_encoding='UTF8';")
        table = ask("SELECT c.oid AS tid, c.relnamespace AS scid, d.oid AS did FROM pg_class c, pg_database d WHERE relname = 'visits' "
                    "AND datname = current_database()").fetchone()
        cls.values = {**table, "rid": None, "datlastsysoid": 16383, "last_system_oid": 16383, "show_sysobj": False, "show_system_objects": False,
                      "show_internal": False, "table_id": table["tid"], "obj_id": table["tid"], "parent_id": table["scid"], "is_catalog": False,
                      "fetch_database": True, "vid": None, "schema_restrictions": None, "constraint_type": "p", "tables": {}, "systype": "",
                      "data": {"schema": "public", "name": "visits"}, "server_type": "pg", "gp_oid": None}

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()

    def asked(self, node, page, **more):
        name = self.pages.find(node, page)
        self.assertIsNotNone(name, f"{node}/{page}")
        text = self.pages.fill_in(name, **{**self.values, **more})
        return self.connection.execute(text.replace("%%", "%")) if text.strip() else None

    def test_the_tree_opens_down_to_a_column(self):
        for node in TREE:
            with self.subTest(node):
                self.asked(node, "nodes")
        names = {row["name"] for row in self.asked("tables", "nodes", tid=None).fetchall()}
        self.assertEqual(names, {"departments", "patients", "visits"})
        columns = {row["name"] for row in self.asked("columns", "nodes").fetchall()}
        self.assertLessEqual({"department", "cost", "days"}, columns)

    def test_what_stands_beside_the_tree(self):
        for node in CHOSEN:
            with self.subTest(node):
                self.asked(node, "properties")
        for node in COUNTED:
            with self.subTest(f"how many {node}"):
                self.asked(node, "count")

    def test_rows_are_counted_and_not_shown(self):
        counted = self.asked("tables", "get_table_row_count").fetchone()
        self.assertRegex(next(iter(counted.values())), r"^-?\d+$")
        for page in ("get_columns", "primary_keys"):
            self.asked("sqleditor", page)
        rows = self.pages.fill_in(self.pages.find("sqleditor", "objectquery"), nsp_name="public", object_name="visits", limit=100)
        with self.assertRaises(psycopg.errors.InsufficientPrivilege):
            self.connection.execute(rows)


if __name__ == "__main__":
    unittest.main(verbosity=2)
