package dev.dibs.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What Dibs warns of from now on, until it is closed. */
final class Warnings implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dibs");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    Warnings() {
        logged.start();
        logger.addAppender(logged);
    }

    List<String> all() {
        return List.copyOf(logged.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(logged);
    }
}
