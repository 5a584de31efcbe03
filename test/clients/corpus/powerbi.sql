-- What Power BI Desktop sends by DirectQuery, with every step a query in FROM. Recorded:
-- github.com/AdobeDocs/analytics-platform.en, help/use-cases/data-views/bi-extension/sort.md, limits.md and
-- transformations.md show what it sent to a server that speaks this protocol. Where the record has no such
-- chart, the statement is composed in its form, and says so.

-- powerbi 1: sum by a column
-- from bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 2: sum of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select sum("rows"."cost") as "a0"
from "public"."visits" "rows";

-- powerbi 3: average by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        avg("rows"."cost") as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 4: average of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select avg("rows"."cost") as "a0"
from "public"."visits" "rows";

-- powerbi 5: count by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        count("rows"."cost") as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 6: count of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select count("rows"."cost") as "a0"
from "public"."visits" "rows";

-- powerbi 7: rows by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        count(*) as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 8: rows of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select count(*) as "a0"
from "public"."visits" "rows";

-- powerbi 9: min by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        min("rows"."cost") as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 10: min of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select min("rows"."cost") as "a0"
from "public"."visits" "rows";

-- powerbi 11: max by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        max("rows"."cost") as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 12: max of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select max("rows"."cost") as "a0"
from "public"."visits" "rows";

-- powerbi 13: sum of decimals by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum(cast("rows"."cost" as decimal)) as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 14: sum of decimals of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select sum(cast("rows"."cost" as decimal)) as "a0"
from "public"."visits" "rows";

-- powerbi 15: distinct by a column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        count(distinct "rows"."patient_ssn") as "a0"
    from 
    (
        select "_"."patient_ssn", "_"."department", "_"."cost"
        from "public"."visits" "_"
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 16: distinct of all
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select count(distinct "rows"."patient_ssn") as "a0"
from "public"."visits" "rows";

-- powerbi 17: filtered by a value
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where "_"."department" = 'Surgery'
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 18: filtered by values
-- from bi-extension/limits.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where "_"."department" in ('Surgery', 'Emergency')
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 19: filtered by a slicer
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where ("_"."department" = 'Surgery' or "_"."department" = 'Emergency')
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 20: filtered by instants
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where "_"."admitted" >= timestamp '2023-01-01 00:00:00' and "_"."admitted" < timestamp '2024-01-01 00:00:00'
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 21: filtered by dates
-- from bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where "_"."admitted" >= date '2023-01-01' and "_"."admitted" < date '2024-01-01'
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 22: filtered by numbers
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where "_"."cost" > 100 and "_"."cost" is not null
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 23: filtered by contains
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where strpos("_"."department", 'urg') > 0
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 24: filtered by begins with
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where "_"."department" like 'S%'
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 25: filtered by a year
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where date_part('year', "_"."admitted") = 2023
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 26: filtered by not blank
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from 
    (
        select "_"."department", "_"."cost"
        from "public"."visits" "_"
        where not "_"."department" is null
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 27: a distinct count with the blank
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select count(distinct "rows"."department") + max(case when "rows"."department" is null then 1 else 0 end) as "a0"
from "public"."visits" "rows";

-- powerbi 28: the range of a date axis
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select min(date_part('year', "rows"."admitted")) as "a0",
    max(date_part('year', "rows"."admitted")) as "a1"
from "public"."visits" "rows";

-- powerbi 29: a row count of a folded query
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select count(1) as "RowCount"
from "public"."visits" "$Table";

-- powerbi 30: grouped rows
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "rows"."sex" as "sex",
    avg("rows"."income") as "average",
    count(1) as "count"
from "public"."patients" "rows"
group by "sex";

-- powerbi 31: a merged table
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "rows"."sex" as "sex",
    sum("rows"."cost") as "a0"
from 
(
    select "$Outer"."cost" as "cost",
        "$Inner"."sex" as "sex"
    from "public"."visits" "$Outer"
    left outer join "public"."patients" "$Inner" on ("$Outer"."patient_ssn" = "$Inner"."ssn")
) "rows"
group by "sex";

-- powerbi 32: a computed column
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "rows"."band" as "band",
    count(1) as "a0"
from 
(
    select "_"."age" as "age",
        case
            when "_"."age" >= 65 then 'old'
            else 'young'
        end as "band"
    from "public"."patients" "_"
) "rows"
group by "band";

-- powerbi 33: the top of an ordered result
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department", "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."cost") as "a0"
    from "public"."visits" "rows"
    group by "department"
) "_"
where not "_"."a0" is null
order by "_"."a0" desc, "_"."department"
limit 1001;

-- powerbi 34: the values of a slicer
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."department"
from 
(
    select "rows"."department" as "department"
    from "public"."visits" "rows"
    group by "department"
) "_"
order by "_"."department"
limit 101;

-- powerbi 35: months of a year
-- from the form of bi-extension/sort.md
-- expect aggregate answer
select "_"."m", "_"."a0"
from 
(
    select date_part('month', "rows"."admitted") as "m",
        count(1) as "a0"
    from "public"."visits" "rows"
    group by date_part('month', "rows"."admitted")
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 36: a preview of rows
-- from the form of bi-extension/sort.md
-- expect rows refuse 42501
select "$Table"."ssn" as "ssn",
    "$Table"."age" as "age"
from "public"."patients" "$Table"
limit 1000;

-- powerbi 37: an import of a table
-- from the form of bi-extension/sort.md
-- expect rows refuse 42501
select "$Table"."department" as "department",
    "$Table"."cost" as "cost"
from "public"."visits" "$Table";

-- powerbi 38: two sums between two dates
-- from bi-extension/sort.md
-- expect aggregate answer
select "_"."department",
    "_"."a0",
    "_"."a1"
from 
(
    select "rows"."department" as "department",
        sum("rows"."days") as "a0",
        sum("rows"."cost") as "a1"
    from 
    (
        select "_"."visit_id",
            "_"."patient_ssn",
            "_"."department",
            "_"."admitted",
            "_"."days",
            "_"."cost"
        from "public"."visits" "_"
        where "_"."admitted" < date '2023-02-01' and "_"."admitted" >= date '2023-01-01'
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null or not "_"."a1" is null
limit 1000001;

-- powerbi 39: the largest groups, named one by one
-- from bi-extension/limits.md
-- expect aggregate answer
select "_"."department",
    "_"."a0"
from 
(
    select "rows"."department" as "department",
        sum("rows"."days") as "a0"
    from 
    (
        select "_"."visit_id",
            "_"."patient_ssn",
            "_"."department",
            "_"."admitted",
            "_"."days",
            "_"."cost"
        from "public"."visits" "_"
        where (("_"."department" in ('Surgery', 'Emergency')) and "_"."admitted" < date '2024-01-01') and "_"."admitted" >= date '2023-01-01'
    ) "rows"
    group by "department"
) "_"
where not "_"."a0" is null
limit 1000001;

-- powerbi 40: a column made by LOWER
-- from bi-extension/transformations.md
-- expect aggregate answer
select "_"."department_lower",
    "_"."a0",
    "_"."a1"
from 
(
    select "rows"."department_lower" as "department_lower",
        sum("rows"."days") as "a0",
        sum("rows"."cost") as "a1"
    from 
    (
        select "_"."admitted" as "admitted",
            "_"."department" as "department",
            "_"."cost" as "cost",
            "_"."days" as "days",
            lower("_"."department") as "department_lower"
        from 
        (
            select "_"."admitted",
                "_"."department",
                "_"."cost",
                "_"."days"
            from 
            (
                select "admitted",
                    "department",
                    "cost",
                    "days"
                from "public"."visits" "$Table"
            ) "_"
            where ("_"."admitted" < date '2024-01-01' and "_"."admitted" >= date '2023-01-01') and ("_"."department" in ('Surgery', 'Emergency', 'Oncology'))
        ) "_"
    ) "rows"
    group by "department_lower"
) "_"
where not "_"."a0" is null or not "_"."a1" is null
limit 1000001;
