package shop.mail;

import static shop.jooq.tables.Mail.MAIL;
import static shop.jooq.tables.queues.MailQueue.MAIL_QUEUE;

import dev.dibs.Queue;
import dev.dibs.Worker;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import shop.jooq.tables.records.MailRecord;

/** The shop's mails, which stand in a table of its own until they are sent. */
public final class MailService {

    private final Queue<MailRecord> mails;

    /** The mails of a database. */
    public MailService(DSLContext dsl) {
        mails = Queue.of(dsl, MAIL_QUEUE, "mail");
    }

    /** Writes a mail, which is sent once the transaction commits. */
    public void write(Configuration tx, String recipient, String subject) {
        var mail = tx.dsl().newRecord(MAIL);
        mail.setRecipient(recipient);
        mail.setSubject(subject);
        mails.enqueue(tx, mail);
    }

    /** Sends mails, four at a time, until the worker is closed. */
    public Worker send(Post post) {
        return mails.worker().concurrency(4).consume(mail -> post.send(mail.getRecipient(), mail.getSubject()));
    }
}
