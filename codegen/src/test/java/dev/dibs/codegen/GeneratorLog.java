package dev.dibs.codegen;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What the generator of mappings logs from now on, until it is closed. */
final class GeneratorLog implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dibs.codegen");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    GeneratorLog() {
        logged.start();
        logger.addAppender(logged);
    }

    List<String> warnings() {
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    void clear() {
        logged.list.clear();
    }

    @Override
    public void close() {
        logger.detachAppender(logged);
    }
}
