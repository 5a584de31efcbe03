// Go's pgx against tacit serve: ask DSN. It describes every statement, reads binary values, and
// reads each reply before it sends Sync.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const byDepartment = "SELECT department, count(*), avg(cost), max(days) FROM visits WHERE days > $1 " +
	"AND admitted >= $2 GROUP BY department ORDER BY department"

func check(err error, what string) {
	if err != nil {
		fmt.Fprintln(os.Stderr, what+":", err)
		os.Exit(1)
	}
}

func read(ctx context.Context, conn *pgx.Conn, mode pgx.QueryExecMode) []string {
	rows, err := conn.Query(ctx, byDepartment, mode, 1, time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC))
	check(err, mode.String())
	lines, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var name string
		var count int64
		var average float64
		var longest int64
		err := row.Scan(&name, &count, &average, &longest)
		return fmt.Sprint(name, count, average, longest), err
	})
	check(err, mode.String())
	if len(lines) < 3 {
		check(errors.New("too few departments"), mode.String())
	}
	return lines
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, os.Args[1])
	check(err, "connecting")
	first := fmt.Sprint(read(ctx, conn, pgx.QueryExecModeCacheStatement))
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec,
		pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		if again := fmt.Sprint(read(ctx, conn, mode)); again != first {
			check(errors.New("another answer to the same question"), mode.String())
		}
	}
	begun := time.Now()
	_, err = conn.Query(ctx, "SELECT ssn FROM patients")
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42501" {
		check(fmt.Errorf("not refused: %v", err), "rows")
	}
	if waited := time.Since(begun); waited > time.Second {
		check(fmt.Errorf("told after %v", waited), "a refusal")
	}
	batch := &pgx.Batch{}
	batch.Queue("SELECT count(*) FROM visits")
	batch.Queue("SELECT count(*) FROM patients WHERE age > $1", 60)
	check(conn.SendBatch(ctx, batch).Close(), "a batch")
	check(conn.Close(ctx), "closing")
}
