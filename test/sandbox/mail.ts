/** A mail server (smtp-server from npm) that keeps what it takes, and can be told to refuse, to be slow or to break off. */
import { once } from "node:events";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string[];
  /** the message as it was sent, headers first */
  source: string;
}

/**
 * What happens to a mail: `refuse` its address for good, ask to come back `later`, answer only after a while (`slow`),
 * or break the connection off before it is taken (`drop`) or after (`drop_after`).
 */
export type MailFault = "refuse" | "later" | "slow" | "drop" | "drop_after";

const SLOW_MS = 1_000;

export interface Mailbox {
  /** SMTP_URL */
  url: string;
  received: ReceivedMail[];
  /** of the next mails, one each */
  faults: MailFault[];
  close(): Promise<void>;
}

export async function startMailbox(port = 0): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  const faults: MailFault[] = [];
  const answer = (code: number) => Object.assign(new Error("Refused on demand"), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onRcptTo(_address, _session, done) {
      const [fault] = faults;
      if (fault !== "refuse" && fault !== "later") {
        done();
        return;
      }
      faults.shift();
      done(answer(fault === "refuse" ? 550 : 451));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const fault = faults.shift();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        if (fault !== "drop") received.push({ to, source: Buffer.concat(chunks).toString("utf8") });
        if (fault === "drop" || fault === "drop_after") {
          for (const { session: each, close } of connections()) if (each.id === session.id) close();
        } else if (fault === "slow") setTimeout(done, SLOW_MS);
        else done();
      });
    },
  });
  const connections = () =>
    [...server.connections].map((connection) => ({
      session: connection.session,
      close: () => connection.close(),
    }));
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    faults,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
