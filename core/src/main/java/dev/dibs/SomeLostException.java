package dev.dibs;

/** Some of several rows were lost, and which has to be found out; what was written is to be rolled back. */
final class SomeLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
