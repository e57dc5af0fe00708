package dev.dibs.time;

/** The database's own clock, as SQL. */
record DatabaseTime() implements TimeSource {

    @Override
    public Now now() {
        return new Now(DatabaseClock.compared(), DatabaseClock.written());
    }

    @Override
    public boolean isDatabase() {
        return true;
    }
}
