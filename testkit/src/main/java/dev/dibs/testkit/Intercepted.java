package dev.dibs.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** An object of JDBC's whose calls a test sees before the real one does. */
final class Intercepted {

    private Intercepted() {}

    /** One in front of a real one. */
    static <T> T of(Class<T> type, T real, Calls<T> calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> calls.call(real, method, arguments)));
    }

    /** What the real one does. */
    static @Nullable Object invoke(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** What becomes of the calls of an object. */
    @FunctionalInterface
    interface Calls<T> {
        @Nullable
        Object call(T real, Method method, Object @Nullable [] arguments) throws Throwable;
    }
}
