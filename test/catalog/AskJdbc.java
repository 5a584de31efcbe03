import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** What pgjdbc asks when a tool wants to know everything about a database. */
class AskJdbc {
  static void drain(ResultSet rows) throws Exception {
    while (rows.next()) {
      rows.getString(1);
    }
    rows.close();
  }

  public static void main(String[] arguments) throws Exception {
    try (Connection connection = DriverManager.getConnection(arguments[0], "ana", "")) {
      DatabaseMetaData about = connection.getMetaData();
      drain(about.getCatalogs());
      drain(about.getSchemas());
      drain(about.getSchemas(null, "pub%"));
      drain(about.getTableTypes());
      drain(about.getTypeInfo());
      drain(about.getTables(null, null, "%", null));
      drain(about.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}));
      drain(about.getTables(null, "tacit", "%", new String[] {"VIEW"}));
      drain(about.getColumns(null, "public", "%", "%"));
      drain(about.getColumns(null, "tacit", "%", null));
      drain(about.getPrimaryKeys(null, "public", "patients"));
      drain(about.getImportedKeys(null, "public", "patients"));
      drain(about.getExportedKeys(null, "public", "patients"));
      drain(about.getIndexInfo(null, "public", "patients", false, true));
      drain(about.getBestRowIdentifier(null, "public", "patients", 0, true));
      drain(about.getVersionColumns(null, "public", "patients"));
      drain(about.getTablePrivileges(null, "public", "patients"));
      drain(about.getColumnPrivileges(null, "public", "patients", "%"));
      drain(about.getFunctions(null, "public", "%"));
      drain(about.getProcedures(null, "public", "%"));
      drain(about.getUDTs(null, "public", "%", null));
      about.getSQLKeywords();
      about.getMaxColumnNameLength();
      connection.getSchema();
      connection.getCatalog();
      PreparedStatement named =
          connection.prepareStatement("SELECT relname FROM pg_class WHERE relname = ? AND relnatts > ?");
      for (int i = 0; i < 7; ++i) {
        named.setString(1, "patients");
        named.setInt(2, i);
        drain(named.executeQuery());
      }
      ResultSet types = connection.createStatement().executeQuery("SELECT conkey FROM pg_constraint");
      types.getMetaData().getColumnTypeName(1);
      types.getMetaData().getColumnClassName(1);
    }
  }
}
