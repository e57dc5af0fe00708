package dev.dibs;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a listener what happened, and survives what the listener throws. */
final class EventSink {

    private static final Logger LOG = LoggerFactory.getLogger(EventSink.class);

    private final QueueEvents events;

    EventSink(QueueEvents events) {
        this.events = events;
    }

    void tell(Consumer<QueueEvents> event) {
        try {
            event.accept(events);
        } catch (Throwable thrown) { // a listener harms nothing, whatever it throws
            LOG.warn("a QueueEvents listener threw; the event is dropped", thrown);
        }
    }
}
