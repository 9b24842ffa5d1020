/** Sends mail by SMTP (SMTP_URL). The outbox decides which mail and when (app/outbox/outbox.server.ts). */
import { createTransport } from "nodemailer";
import { z } from "zod";
import { AppError } from "./app-error.ts";
import { env } from "./env.server.ts";

export interface Mail {
  /** the same for every attempt, so that a mail program shows a repeated mail once */
  id: string;
  to: string;
  /** the name of the shop */
  senderName: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; contentType: string; content: Uint8Array }[];
}

/** The server is not reachable, does not accept the app, or requests a later attempt. */
export class MailUnavailable extends AppError {
  override name = "MailUnavailable";
}

/**
 * `refused`: the server does not deliver this mail, for example to an unknown address. `problem` contains no personal
 * data.
 */
export type MailResult = { type: "sent" } | { type: "refused"; problem: string };

const isThisMachine = (hostname: string) => ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

function openTransport(address: string) {
  const url = new URL(address);
  const isSecure = url.protocol === "smtps:";
  const isHere = isThisMachine(url.hostname);
  return createTransport({
    pool: true,
    maxConnections: 4,
    host: url.hostname,
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    // Mails contain data of customers and contracts, so the connection must be encrypted.
    requireTLS: !isSecure && !isHere,
    ignoreTLS: !isSecure && isHere,
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const transport = env.SMTP_URL === undefined ? null : openTransport(env.SMTP_URL);

/** Whether this installation sends mail. */
export const mailIsOn = transport !== null;

const smtpError = z.object({ code: z.string().optional(), responseCode: z.int().optional() });

/** @throws MailUnavailable: not sent, or unknown; retry later */
export async function sendMail({
  id,
  to,
  senderName,
  replyTo,
  attachments,
  ...content
}: Mail): Promise<MailResult> {
  const from = env.MAIL_FROM;
  if (!transport || from === undefined) throw new MailUnavailable("SMTP_URL and MAIL_FROM are not set");
  try {
    await transport.sendMail({
      ...content,
      attachments: attachments.map((each) => ({ ...each, content: Buffer.from(each.content) })),
      from: { name: senderName, address: from },
      to: { name: "", address: to },
      ...(replyTo === null ? {} : { replyTo: { name: senderName, address: replyTo } }),
      messageId: `<${id}@${from.slice(from.indexOf("@") + 1)}>`,
      // Prevents out-of-office replies.
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return { type: "sent" };
  } catch (error) {
    const { code = "unknown", responseCode } = smtpError.catch({}).parse(error);
    // The server's message may contain the address, so only its code is kept.
    const problem = responseCode === undefined ? code : `SMTP ${responseCode}`;
    const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
    if (isAboutMail && (responseCode === undefined || responseCode >= 500))
      return { type: "refused", problem };
    throw new MailUnavailable(`The mail server did not take a mail: ${problem}`);
  }
}
