CREATE TABLE "Orders" ("PersonId" INTEGER, "City" VARCHAR, "group" INTEGER, "Unit Price" INTEGER, "visit-day" DATE);
INSERT INTO "Orders"
  SELECT i, CASE WHEN i % 4 = 0 THEN 'Bonn' ELSE 'Ulm' END, 1 + i % 2, i % 10, DATE '2024-01-01' + CAST(i % 2 AS INTEGER)
  FROM range(80) t(i);
CREATE TABLE "Order Items" ("PersonId" INTEGER, "Count" INTEGER, "Select" VARCHAR);
INSERT INTO "Order Items" SELECT i % 80, i % 3, 'x' FROM range(160) t(i);
CREATE TABLE "Places" ("Name" VARCHAR, "Height" INTEGER);
INSERT INTO "Places" VALUES ('Bonn', 60), ('Ulm', 480)
