#!/usr/bin/env python3
"""Django, ODBC, pgbouncer and postgres_fdw against tacit serve. usage: clients_test.py TACIT"""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import django
import django.conf
import psycopg
import pyodbc

from gateway import PASSWORDS, Gateway

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "catalog"))
from postgres import Cluster, free_port  # noqa: E402

TACIT = ""
ODBC = "/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so"
SEXES = "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex"


class ClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()
        with psycopg.connect(cls.gateway.dsn(), autocommit=True) as connection:
            cls.counts = connection.execute(SEXES).fetchall()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def test_django_inspects_the_tables_and_asks_by_its_models(self):
        options = {"sslmode": "verify-full", "sslrootcert": str(self.gateway.folder / "server.crt"),
                   "options": "-c tacit.previews=on"}
        django.conf.settings.configure(
            USE_TZ=True, TIME_ZONE="Europe/Berlin",
            DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "HOST": "localhost", "PORT": self.gateway.port,
                                   "USER": "ana", "PASSWORD": PASSWORDS["ana"], "NAME": "clinic", "OPTIONS": options}})
        django.setup()
        from django.core.management import call_command
        from django.db import connection, models
        out = io.StringIO()
        call_command("inspectdb", "people", stdout=out)
        for line in ("class People(models.Model):", "age = models.BigIntegerField", "town = models.TextField", "seen = models.DateField"):
            self.assertIn(line, out.getvalue())
        self.assertNotIn("pid", out.getvalue())

        class People(models.Model):
            age = models.BigIntegerField()
            sex = models.TextField(primary_key=True)

            class Meta:
                managed, db_table, app_label = False, "people", "clinic"

        rows = People.objects.values("sex").annotate(n=models.Count("*")).order_by("sex")
        self.assertEqual([(row["sex"], row["n"]) for row in rows], self.counts)
        count = People.objects.filter(age__gt=40).count()
        self.assertEqual(People.objects.filter(age__gt=40).count(), count)
        connection.close()

    def test_odbc_asks_with_parameters_and_lists_columns(self):
        words = {"Driver": ODBC, "Servername": "localhost", "Port": self.gateway.port, "Database": "clinic", "Uid": "ana",
                 "Pwd": PASSWORDS["ana"], "SSLmode": "require"}
        with contextlib.closing(pyodbc.connect(";".join(f"{k}={v}" for k, v in words.items()), autocommit=True)) as connection:
            cursor = connection.cursor()
            self.assertEqual([tuple(row) for row in cursor.execute(SEXES)], self.counts)
            older = "SELECT count(*) FROM people WHERE age > ?"
            self.assertEqual(cursor.execute(older, 50).fetchval(), cursor.execute(older, 50).fetchval())
            self.assertEqual([row.column_name for row in cursor.columns(table="people")], ["age", "sex", "town", "pay", "seen"])
            with self.assertRaises(pyodbc.Error) as refused:
                cursor.execute("SELECT age FROM people")
            self.assertEqual(refused.exception.args[0], "42501")

    def test_pgbouncer_stands_between(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            port = free_port()
            (pathlib.Path(folder) / "users.txt").write_text(f'"ana" "{PASSWORDS["ana"]}"\n')
            config = pathlib.Path(folder) / "pgbouncer.ini"
            config.write_text(f"""[databases]
clinic = host=localhost port={self.gateway.port} dbname=clinic
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {folder}/users.txt
server_tls_sslmode = require
pool_mode = transaction
ignore_startup_parameters = extra_float_digits
""")
            as_nobody = ["-u", "nobody"] if os.geteuid() == 0 else []
            bouncer = subprocess.Popen(["/usr/sbin/pgbouncer", "-q", *as_nobody, str(config)], stderr=subprocess.PIPE, text=True)
            try:
                words = f"host=127.0.0.1 port={port} user=ana dbname=clinic sslmode=disable password='{PASSWORDS['ana']}'"
                with contextlib.closing(self.until_there(words)) as connection:
                    self.assertEqual(connection.execute(SEXES).fetchall(), self.counts)
                    with self.assertRaises(psycopg.errors.InsufficientPrivilege):
                        connection.execute("SELECT age FROM people")
                    with connection.transaction():
                        connection.execute("SET LOCAL tacit.epsilon = 0.3")
                        self.assertEqual(connection.execute("SHOW tacit.epsilon").fetchone()[0], "0.3")
            finally:
                bouncer.terminate()
                bouncer.wait(timeout=30)
                bouncer.stderr.close()

    def until_there(self, words):
        for _ in range(100):
            try:
                return psycopg.connect(words, autocommit=True, prepare_threshold=None)
            except psycopg.OperationalError:
                time.sleep(0.1)
        return psycopg.connect(words, autocommit=True, prepare_threshold=None)

    def test_postgres_fdw_pushes_its_aggregates_down(self):
        with contextlib.ExitStack() as stack:
            cluster = Cluster()
            stack.callback(cluster.stop)

            def ask(sql):
                return cluster.psql("postgres", "tacit", "-A", "-t", "-q", "-c", sql)
            made = ask(f"""CREATE EXTENSION postgres_fdw;
                CREATE SERVER gateway FOREIGN DATA WRAPPER postgres_fdw
                  OPTIONS (host 'localhost', port '{self.gateway.port}', dbname 'clinic', sslmode 'require');
                CREATE USER MAPPING FOR CURRENT_USER SERVER gateway OPTIONS (user 'ana', password '{PASSWORDS["ana"]}');
                CREATE SCHEMA far; IMPORT FOREIGN SCHEMA public FROM SERVER gateway INTO far""")
            self.assertEqual(made, "")
            rows = ask("SELECT sex, count(*) FROM far.people GROUP BY sex ORDER BY sex").split()
            self.assertEqual(rows, [f"{sex}|{n}" for sex, n in self.counts])


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
