/** Mail by SMTP (SMTP_URL). What is to be sent and when is the outbox's concern (app/outbox/outbox.server.ts). */
import { createTransport } from "nodemailer";
import { z } from "zod";
import { AppError } from "./app-error.ts";
import { env } from "./env.server.ts";

export interface Mail {
  /** the same for every attempt, so that a mail program shows a repetition once */
  id: string;
  to: string;
  /** the shop that it is from */
  senderName: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
}

/** The server cannot be reached, does not accept the app, or wants a later attempt. */
export class MailUnavailable extends AppError {
  override name = "MailUnavailable";
}

/** The server will not deliver this mail: the address does not exist, say. `problem` names no person. */
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
    // Mails name customers and their contracts: they never pass a network in clear.
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

/** @throws MailUnavailable: not sent, or not known to be; try again later */
export async function sendMail({ id, to, senderName, replyTo, ...content }: Mail): Promise<MailResult> {
  const from = env.MAIL_FROM;
  if (!transport || from === undefined) throw new MailUnavailable("SMTP_URL and MAIL_FROM are not set");
  try {
    await transport.sendMail({
      ...content,
      from: { name: senderName, address: from },
      to: { name: "", address: to },
      ...(replyTo === null ? {} : { replyTo: { name: senderName, address: replyTo } }),
      messageId: `<${id}@${from.slice(from.indexOf("@") + 1)}>`,
      // Not an answer to anybody: no out-of-office reply comes back.
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return { type: "sent" };
  } catch (error) {
    const { code = "unknown", responseCode } = smtpError.catch({}).parse(error);
    // The server's words may name the address, so only its codes are kept.
    const problem = responseCode === undefined ? code : `SMTP ${responseCode}`;
    const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
    if (isAboutMail && (responseCode === undefined || responseCode >= 500))
      return { type: "refused", problem };
    throw new MailUnavailable(`The mail server did not take a mail: ${problem}`);
  }
}
