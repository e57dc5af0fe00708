package dev.dibs.testkit;

import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicBoolean;

/** An object that tells when somebody makes it from bytes. */
final class Bomb implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final AtomicBoolean WENT_OFF = new AtomicBoolean();

    static boolean wentOff() {
        return WENT_OFF.get();
    }

    @Serial
    private void readObject(ObjectInputStream bytes) {
        WENT_OFF.set(true);
    }
}
