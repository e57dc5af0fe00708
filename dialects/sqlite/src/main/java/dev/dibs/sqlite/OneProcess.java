package dev.dibs.sqlite;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a file's advisory form to one process, by a lock of the operating system on a file beside it.
 *
 * <p>It ends with the process, however that ends.
 */
final class OneProcess {

    // For as long as the process lives: its workers of the file may come and go.
    private static final Map<String, FileChannel> OWNED = new ConcurrentHashMap<>();

    private OneProcess() {}

    /** Makes the file this process's own, or refuses if it is another's. */
    static void require(DSLContext dsl, QueueRef queue) {
        var database = dsl.connectionResult(Database::of);
        if (!database.isMemory()) {
            OWNED.computeIfAbsent(database.name(), file -> owned(queue, Path.of(file + ".dibs-lock")));
        }
    }

    private static FileChannel owned(QueueRef queue, Path path) {
        try {
            var channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() != null) {
                return channel;
            }
            channel.close();
        } catch (OverlappingFileLockException ofThisProcess) {
            throw refused(queue, path, ofThisProcess);
        } catch (IOException failed) {
            throw new QueueException(
                    "%s: the file %s cannot be locked; the advisory form on SQLite needs a folder that this process can write to: %s"
                            .formatted(queue, path, failed.getMessage()),
                    failed);
        }
        throw refused(queue, path, null);
    }

    private static QueueException refused(QueueRef queue, Path path, @Nullable Exception cause) {
        return new QueueException(
                "%s: another process works on this file (it holds %s), and on SQLite the locks of the advisory form are known to one process only; stop it, or map leasedUntil(..) instead of lockKey(..)"
                        .formatted(queue, path),
                cause);
    }
}
