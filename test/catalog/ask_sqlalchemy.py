"""What SQLAlchemy asks when it reflects every table and view it can see, and psycopg when it starts.

usage: ask_sqlalchemy.py SOCKET_FOLDER PORT
"""
import sys

import psycopg2
import psycopg2.extras
import sqlalchemy

folder, port = sys.argv[1:]
engine = sqlalchemy.create_engine(f"postgresql+psycopg2://ana@/clinic?host={folder}&port={port}")
inspector = sqlalchemy.inspect(engine)
inspector.get_schema_names()
inspector.get_enums()
for schema in (None, "public", "tacit"):
    for name in inspector.get_table_names(schema) + inspector.get_view_names(schema):
        inspector.get_columns(name, schema)
        inspector.get_pk_constraint(name, schema)
        inspector.get_foreign_keys(name, schema)
        inspector.get_indexes(name, schema)
        inspector.get_unique_constraints(name, schema)
        inspector.get_check_constraints(name, schema)
        inspector.get_table_comment(name, schema)
    inspector.has_table("patients", schema)
sqlalchemy.MetaData().reflect(engine)

connection = psycopg2.connect(host=folder, port=port, user="ana", dbname="clinic")
psycopg2.extras.HstoreAdapter.get_oids(connection)
