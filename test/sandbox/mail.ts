/** A mail server (smtp-server from npm) that stores received mails. Tests can make it refuse, delay or disconnect. */
import { once } from "node:events";
import { html, raw } from "hono/html";
import { Hono } from "hono";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { serveFetch } from "./listen.ts";
import { type Elsewhere, elsewhereScript } from "./shop/elsewhere.ts";

export interface ReceivedMail {
  /** of the SMTP envelope */
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
  attachments: { filename: string; content: Buffer }[];
}

/**
 * The server's reaction to a mail: `refuse` its address permanently, ask to retry `later`, answer late (`slow`),
 * disconnect before it accepts the mail (`drop`) or afterwards (`drop_after`).
 */
export type MailFault = "refuse" | "later" | "slow" | "drop" | "drop_after";

const SLOW_MS = 1_000;

export interface Mailbox {
  /** SMTP_URL */
  url: string;
  /** URL of a page with the received mails */
  page: string;
  received: ReceivedMail[];
  /** reactions to the next mails, one each */
  faults: MailFault[];
  close(): Promise<void>;
}

interface MailboxOptions {
  port?: number;
  pagePort?: number;
  /** where links of mails are served, if not at their own addresses */
  elsewhere?: Elsewhere;
}

/** Both ports are free ones by default: of the mail server, and of the page with the received mails. */
export async function startMailbox({
  port = 0,
  pagePort = 0,
  elsewhere = {},
}: MailboxOptions = {}): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  const faults: MailFault[] = [];
  const answer = (code: number) => Object.assign(new Error("Refused on demand"), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    // The app keeps its connections open. The library would wait half a minute for them in each test file.
    closeTimeout: 1,
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
        const answered = fault === "drop" ? Promise.resolve() : keep(to, Buffer.concat(chunks));
        answered.then(() => end(fault, session.id, done), done);
      });
    },
  });
  async function keep(to: string[], source: Buffer): Promise<void> {
    const mail = await PostalMime.parse(source);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    const { subject = "", text = "", html: markup = "", messageId = "" } = mail;
    const attachments = mail.attachments.map(({ filename, content }) => ({
      filename: filename ?? "",
      content: typeof content === "string" ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
    }));
    received.push({ to, subject, text, html: markup, messageId, headers, attachments });
  }
  function end(fault: MailFault | undefined, session: string, done: () => void): void {
    if (fault === "drop" || fault === "drop_after") {
      for (const connection of server.connections) if (connection.session.id === session) connection.close();
    } else if (fault === "slow") setTimeout(done, SLOW_MS);
    else done();
  }
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port");
  const pages = new Hono().get("/", (c) =>
    c.html(
      html`<!doctype html>
        <html lang="en">
          <meta charset="utf-8" /><meta
            name="viewport"
            content="width=device-width, initial-scale=1"
          /><title>Received mail</title>
          <body style="font:16px/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem">
            <script>
              ${raw(elsewhereScript(elsewhere))};
            </script>
            <h1>Received mail</h1>
            ${received.length === 0 ? html`<p>No mail was sent yet.</p>` : ""}
            ${received.toReversed().map(
              (mail) =>
                html`<article
                  style="border:1px solid #8a8a8a;border-radius:.5rem;padding:0 1rem;margin:1rem 0"
                >
                  <h2 style="font-size:1rem">${mail.subject}</h2>
                  <p>To ${mail.to.join(", ")}</p>
                  ${raw(bodyOf(mail.html))}
                  ${
                    mail.attachments.length === 0
                      ? ""
                      : html`<p>Attached: ${mail.attachments.map(({ filename }) => filename).join(", ")}</p>`
                  }
                </article>`,
            )}
          </body>
        </html>`,
    ),
  );
  const listening = await serveFetch(pages.fetch, { port: pagePort });
  return {
    page: `${listening.url}/`,
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    faults,
    async close() {
      await Promise.all([listening.close(), new Promise<void>((resolve) => server.close(resolve))]);
    },
  };
}

/** The text in a mail's body; external texts in it are escaped. */
const bodyOf = (markup: string) => /<body[^>]*>([\s\S]*)<\/body>/.exec(markup)?.[1] ?? "";
