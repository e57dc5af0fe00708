package dev.dibs.table;

/** What the first message of an order key means to those behind it while it is not due. */
public enum OrderPolicy {

    /** It blocks them: strictly one after the other, and a failing message holds up its key until it is dead. */
    BLOCK,

    /** They overtake it: still one at a time, but a failing or delayed message holds nobody up. */
    OVERTAKE
}
