import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.flywaydb.core.Flyway;

/** Makes the SQLite file that jOOQ reads while building, from the scripts that users run; started by pom.xml as source. */
final class CodegenDatabase {
    private CodegenDatabase() {}

    /** Takes the file to make and the folder of the scripts. */
    public static void main(String[] args) throws IOException {
        // What is logged says nothing to those who build; what fails goes to the error stream and ends the build.
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Path file = Path.of(args[0]);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.deleteIfExists(file);
        Flyway.configure()
                .dataSource("jdbc:sqlite:" + file, null, null)
                .locations("filesystem:" + args[1])
                .placeholders(Map.of("dibs_prefix", "dibs_", "dibs_schema", "main"))
                .load()
                .migrate();
    }
}
