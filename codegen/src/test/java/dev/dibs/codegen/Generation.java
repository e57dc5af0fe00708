package dev.dibs.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dibs.table.QueueException;
import dev.dibs.testkit.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jooq.codegen.GenerationTool;
import org.jooq.impl.DSL;
import org.jooq.meta.Databases;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.ForcedType;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Property;
import org.jooq.meta.jaxb.Target;

/** Runs of jOOQ's code generator into a directory, with {@link QueueGenerator} unless another is named. */
final class Generation {

    private final Path directory;
    private final Configuration configuration;

    private Generation(Path directory, Database database) {
        this.directory = directory;
        this.configuration = new Configuration()
                .withGenerator(new Generator()
                        .withName(QueueGenerator.class.getName())
                        .withDatabase(database)
                        .withGenerate(new Generate())
                        .withTarget(new Target()
                                .withPackageName("shop")
                                .withDirectory(sources().toString())));
    }

    /** From a new SQLite file with these tables. */
    static Generation ofSqlite(Path directory, String... statements) throws Exception {
        var url = "jdbc:sqlite:" + Files.createTempFile(directory, "shop", ".sqlite");
        try (var connection = DriverManager.getConnection(url)) {
            var dsl = DSL.using(connection);
            List.of(statements).forEach(dsl::execute);
        }
        return new Generation(directory, new Database().withName("org.jooq.meta.sqlite.SQLiteDatabase"))
                .with(configured -> configured.setJdbc(new Jdbc().withUrl(url)));
    }

    /** From a database that is there. */
    static Generation of(Path directory, Address address) {
        return new Generation(
                        directory,
                        new Database()
                                .withName(Databases.databaseClass(address.dialect())
                                        .getName())
                                .withInputSchema(schema(address))
                                .withOutputSchemaToDefault(true))
                .with(configured -> configured.setJdbc(new Jdbc()
                        .withUrl(address.url())
                        .withUser(address.user())
                        .withPassword(address.password())));
    }

    /** From a script, as jOOQ reads it. */
    static Generation ofScript(Path directory, String script) throws IOException {
        var file = Files.writeString(Files.createTempFile(directory, "shop", ".sql"), script);
        return new Generation(
                        directory,
                        new Database()
                                .withName("org.jooq.meta.extensions.ddl.DDLDatabase")
                                .withInputSchema("PUBLIC")
                                .withOutputSchemaToDefault(true))
                .property("scripts", file.toString())
                .property("defaultNameCase", "lower");
    }

    /** From a description of a database of this dialect, in jOOQ's format. */
    static Generation ofXml(Path directory, String dialect, String description) throws IOException {
        var file = Files.writeString(Files.createTempFile(directory, "shop", ".xml"), description);
        return new Generation(directory, new Database().withName("org.jooq.meta.xml.XMLDatabase"))
                .property("xmlFile", file.toString())
                .property("dialect", dialect);
    }

    /** With a property of the configuration's database. */
    Generation property(String key, String value) {
        configuration
                .getGenerator()
                .getDatabase()
                .getProperties()
                .add(new Property().withKey(key).withValue(value));
        return this;
    }

    /** With columns that are read as another type, by a converter. */
    Generation converted(String columns, String type, String converter) {
        configuration
                .getGenerator()
                .getDatabase()
                .getForcedTypes()
                .add(new ForcedType()
                        .withUserType(type)
                        .withConverter(converter)
                        .withIncludeExpression(columns));
        return this;
    }

    /** With a change of the configuration. */
    Generation with(Consumer<Configuration> change) {
        change.accept(configuration);
        return this;
    }

    /** Runs the generator. */
    Generation run() throws Exception {
        GenerationTool.generate(configuration);
        return this;
    }

    /** Runs the generator, which fails, and answers why; versions of jOOQ differ in what they wrap it into. */
    String refusal() {
        var failure = catchThrowable(this::run);
        while (failure.getCause() != null && !(failure instanceof QueueException)) {
            failure = failure.getCause();
        }
        return failure.getMessage();
    }

    /** The text of a generated class, by its name below the target package. */
    String text(String name) {
        return files().getOrDefault(Path.of("shop", name.split("\\.")) + ".java", "");
    }

    /** All generated files with their texts. */
    Map<String, String> files() {
        try (var walk = Files.walk(sources())) {
            return new TreeMap<>(walk.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(file -> sources().relativize(file).toString(), Generation::read)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The generated classes, compiled, with further ones of these texts. */
    Compiled compile(String... more) throws IOException {
        var sources = new ArrayList<>(files().values());
        sources.addAll(List.of(more));
        var compiled = Compiled.of(directory.resolve("classes"), sources);
        assertThat(compiled.errors()).isEmpty();
        return compiled;
    }

    /** What the compiler says of the generated classes with further ones of these texts. */
    List<String> errors(String... more) throws IOException {
        var sources = new ArrayList<>(files().values());
        sources.addAll(List.of(more));
        return Compiled.of(directory.resolve("refused"), sources).errors();
    }

    private Path sources() {
        return directory.resolve("sources");
    }

    // MySQL and MariaDB have a database where others have a schema.
    private static String schema(Address address) {
        return switch (address.dialect()) {
            case POSTGRES -> "public";
            case SQLITE -> "";
            default ->
                URI.create(address.url().substring("jdbc:".length())).getPath().substring(1);
        };
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
