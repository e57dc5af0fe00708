package shop.mail;

/** Takes mails to their recipients. */
public interface Post {

    /** Sends one; what is thrown has it tried again. */
    void send(String recipient, String subject) throws Exception;
}
