import java.sql.*;
import java.util.*;

/** pgjdbc against tacit serve: java -cp postgresql.jar JdbcTest.java URL */
public class JdbcTest {
    static void check(boolean good, String what) {
        if (!good) throw new AssertionError(what);
    }

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("password", System.getenv("PGPASSWORD_FOR_TEST"));
        try (Connection connection = DriverManager.getConnection(arguments[0], properties)) {
            manyExecutions(connection);
            fetchSize(connection);
            metadata(connection);
            refusal(connection);
            cancel(connection);
            check(connection.isValid(10), "isValid");
        }
    }

    // From the sixth on the driver binds in binary and describes no more.
    static void manyExecutions(Connection connection) throws SQLException {
        Set<Object> answers = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT count(*), avg(age), sum(age)::numeric(12,2), date '2024-02-29' FROM people WHERE age > ? AND town = ?")) {
            for (int i = 0; i < 12; ++i) {
                statement.setInt(1, 40);
                statement.setString(2, "north");
                try (ResultSet rows = statement.executeQuery()) {
                    check(rows.next(), "a row");
                    answers.add(List.of(rows.getLong(1), rows.getDouble(2), rows.getBigDecimal(3), rows.getDate(4).toString()));
                    check(rows.getMetaData().getColumnTypeName(1).equals("int8"), "int8");
                    check(!rows.next(), "one row");
                }
                if (i == 0) check(statement.getWarnings() != null, "the notice is a warning");
            }
        }
        check(answers.size() == 1, "twelve executions, one answer: " + answers);
    }

    static void fetchSize(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        List<String> keys = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(2);
            try (ResultSet rows = statement.executeQuery("SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex")) {
                while (rows.next()) keys.add(rows.getString(1));
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        check(keys.equals(List.of("F", "M", "X")), "fetched in pieces: " + keys);
    }

    static void metadata(Connection connection) throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        List<String> tables = new ArrayList<>(), columns = new ArrayList<>();
        try (ResultSet rows = data.getTables(null, "public", "%", null)) {
            while (rows.next()) tables.add(rows.getString("TABLE_NAME"));
        }
        try (ResultSet rows = data.getColumns(null, "public", "people", "%")) {
            while (rows.next()) columns.add(rows.getString("COLUMN_NAME"));
        }
        check(tables.contains("people"), "tables: " + tables);
        check(columns.equals(List.of("age", "sex", "town", "pay", "seen")), "columns: " + columns);
        try (ResultSet rows = data.getPrimaryKeys(null, "public", "people")) {
            check(!rows.next(), "no primary key");
        }
        try (ResultSet rows = data.getTypeInfo()) {
            check(rows.next(), "types");
        }
    }

    static void refusal(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT age FROM people");
            check(false, "rows were shown");
        } catch (SQLException refused) {
            check(refused.getSQLState().equals("42501"), refused.getSQLState());
        }
    }

    static void cancel(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(30);
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM people WHERE age > 40")) {
                check(rows.next(), "a row within the time-out");
            }
        }
    }
}
