package dev.dibs.schema;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import javax.sql.DataSource;

/** QueueSchema on a class path that lacks some of the libraries. */
final class IsolatedSchema {

    private IsolatedSchema() {}

    /** Migrates without the libraries whose file names begin so. */
    static void migrateWithout(String library, DataSource source) throws Throwable {
        try (var loader = new URLClassLoader(classPathWithout(library), ClassLoader.getPlatformClassLoader())) {
            loader.loadClass(QueueSchema.class.getName())
                    .getMethod("migrate", DataSource.class)
                    .invoke(null, source);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private static URL[] classPathWithout(String library) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(path -> !path.getFileName().toString().startsWith(library))
                .map(IsolatedSchema::url)
                .toArray(URL[]::new);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }
}
