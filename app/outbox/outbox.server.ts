/**
 * Mail to customers. One transaction stores the mail, the job that sends it, and the data that it is about. A mail is
 * sent once; if the server accepts it and the response is lost, it may be sent again under the same Message-ID. The
 * caller handles an undeliverable mail.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { readDocuments, suffixOf } from "#app/documents/legal-documents.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import { log } from "#app/platform/log.server.ts";
import { type Mail, MailUnavailable, sendMail } from "#app/platform/mail.server.ts";
import type { MailContent } from "#app/platform/mail-document.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

const storedMail = z.object({
  to: emailAddress(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** legal documents: the mail names what is kept once for all */
  attachments: z.array(z.object({ name: z.string(), address: z.string(), sha256: z.string() })).default([]),
}) satisfies z.ZodType<MailContent>;

export type NewMail = z.input<typeof storedMail> & {
  /** identifies the mail's subject, for example a declaration: a second mail about it is not stored */
  id: string;
} & ({ orderId: string } | { draftOrderId: string } | { isToMerchant: true });

const purposeOf = (id: string) => `mail ${id}`;

const openMail = (key: DataKey, id: string, sealed: string) =>
  storedMail.parse(JSON.parse(open(sealed, purposeOf(id), [key])));

/** After this time a mail that the server does not take is refused. */
const GIVE_UP_MS = 24 * 3_600_000;

/**
 * Stores a mail to send, in a transaction.
 * @param dataKey read before the transaction, which already holds a connection
 * @returns false if a mail with this id was stored before
 */
export async function queueMail(
  tx: Transaction,
  shop: string,
  dataKey: DataKey,
  mail: NewMail,
): Promise<boolean> {
  const { id } = mail;
  const about =
    "orderId" in mail
      ? { orderId: mail.orderId }
      : "draftOrderId" in mail
        ? { draftOrderId: mail.draftOrderId }
        : {};
  const sealed = seal(JSON.stringify(storedMail.parse(mail)), purposeOf(id), [dataKey]);
  const { count } = await tx.outgoingMail.createMany({
    data: [{ shop, id, ...about, sealed }],
    skipDuplicates: true,
  });
  if (count > 0) await sendJob(tx, "mail", { shop, mailId: id }, { singletonKey: `${shop}:${id}` });
  return count > 0;
}

/** A mail about an order that is not sent any more. */
export interface RefusedMail {
  shop: string;
  orderId: string;
  mailId: string;
  subject: string;
  problem: string;
}

/**
 * The job: sends a mail that waits.
 * @param onRefused runs in the transaction that ends it; staff who sent the link of a draft order see its outcome there
 * @throws MailUnavailable: try again later
 */
export async function deliverMail(
  shop: string,
  id: string,
  onRefused: (tx: Transaction, mail: RefusedMail) => Promise<unknown>,
): Promise<void> {
  const where = { shop_id: { shop, id } };
  const row = await db.outgoingMail.findUnique({ where });
  // It was sent before, or erased with its customer.
  if (row?.state !== "waiting" || row.sealed === null) return;
  const [key, merchant, { replyTo }] = await Promise.all([
    dataKeyOf(shop),
    findMerchant(shop),
    readMerchantSettings(shop),
  ]);
  const { to, attachments, ...content } = openMail(key, id, row.sealed);
  const shopName = merchant?.name === undefined || merchant.name === "" ? shop : merchant.name;
  // A mail that staff send again has another time, and is another message to the customer's mailbox.
  const messageId = createHash("sha256")
    .update(`${shop} ${id} ${row.createdAt.toISOString()}`)
    .digest("hex")
    .slice(0, 32);
  let problem: string;
  try {
    const result = await sendMail({
      id: messageId,
      to,
      subject: content.subject,
      text: content.text,
      html: content.html,
      attachments: await readAttachments(shop, attachments),
      senderName: shopName,
      replyTo: replyTo === "" ? null : replyTo,
    });
    if (result.type === "sent") {
      const data = { state: "sent", sentAt: new Date(), ...erasedOf(row) };
      await db.outgoingMail.update({ where, data });
      return;
    }
    problem = result.problem;
  } catch (error) {
    if (!(error instanceof MailUnavailable) || Date.now() - row.createdAt.getTime() < GIVE_UP_MS) throw error;
    problem = error.message;
  }
  const { orderId } = row;
  log.warn({ shop, orderId }, `Failed to send a mail: ${problem}`);
  await db.$transaction(async (tx) => {
    await tx.outgoingMail.update({ where, data: { state: "refused", error: problem, ...erasedOf(row) } });
    if (orderId !== null)
      await onRefused(tx, { shop, orderId, mailId: id, subject: content.subject, problem });
  });
}

/** What is not kept any more is left out: the mail links it. */
async function readAttachments(
  shop: string,
  attached: z.infer<typeof storedMail>["attachments"],
): Promise<Mail["attachments"]> {
  const documents = await readDocuments(shop, attached);
  return attached.flatMap(({ name, address, sha256 }) => {
    const document = documents.find((each) => each.address === address && each.sha256 === sha256);
    if (document === undefined) return [];
    const { content, contentType } = document;
    return [{ filename: `${name}.${suffixOf(contentType)}`, contentType, content }];
  });
}

/** Mails about draft orders and to merchants are not erased with an order, so their contents are once the result is known. */
const erasedOf = ({ orderId }: { orderId: string | null }) => (orderId === null ? { sealed: null } : {});

const mailStates = ["waiting", "sent", "refused"] as const;
const draftMail = z.object({
  id: z.string(),
  state: z.enum(mailStates),
  sentAt: z.date().nullable(),
});
export type DraftMail = z.infer<typeof draftMail>;

/** The last mail to the customer of a draft order; null: none was sent. */
export async function findDraftMail(shop: string, draftOrderId: string): Promise<DraftMail | null> {
  const row = await db.outgoingMail.findFirst({
    where: { shop, draftOrderId },
    orderBy: { createdAt: "desc" },
  });
  return row && draftMail.parse(row);
}

/** A mail about an order, for staff. Its contents are null once they are erased with the order's customer. */
export interface OrderMail {
  id: string;
  subject: string | null;
  to: string | null;
  state: (typeof mailStates)[number];
  createdAt: Date;
  sentAt: Date | null;
}

/** The mails about an order, latest first. */
export async function listOrderMails(shop: string, orderId: string): Promise<OrderMail[]> {
  const rows = await db.outgoingMail.findMany({ where: { shop, orderId }, orderBy: { createdAt: "desc" } });
  const key = rows.some(({ sealed }) => sealed !== null) ? await dataKeyOf(shop) : null;
  return rows.map(({ id, state, createdAt, sentAt, sealed }) => {
    const mail = sealed === null || key === null ? null : openMail(key, id, sealed);
    const { subject = null, to = null } = mail ?? {};
    return { id, subject, to, state: z.enum(mailStates).parse(state), createdAt, sentAt };
  });
}

/**
 * Sends a mail about an order again, to the address that it went to.
 * @returns false: it waits already, it is erased, or it is another order's
 */
export async function sendMailAgain(
  shop: string,
  orderId: string,
  id: string,
  actor: Actor,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.outgoingMail.updateMany({
      where: { shop, orderId, id, state: { not: "waiting" }, sealed: { not: null } },
      data: { state: "waiting", createdAt: new Date(), sentAt: null, error: null },
    });
    if (count === 0) return false;
    await recordAudit({ shop, actor, action: "mail_sent_again", subject: orderId }, tx);
    await sendJob(tx, "mail", { shop, mailId: id }, { singletonKey: `${shop}:${id}` });
    return true;
  });
}

/** The text of a stored mail, to send it another way; null: it was erased with its customer. */
export async function readMailText(shop: string, id: string): Promise<string | null> {
  const row = await db.outgoingMail.findUnique({ where: { shop_id: { shop, id } } });
  if (!row || row.sealed === null) return null;
  return openMail(await dataKeyOf(shop), id, row.sealed).text;
}

/** The stored mails about orders, for `customers/data_request`. */
export async function findOrderMails(shop: string, orderIds: string[]) {
  const key = await dataKeyOf(shop);
  const rows = await db.outgoingMail.findMany({
    where: { shop, orderId: { in: orderIds }, sealed: { not: null } },
    orderBy: { createdAt: "asc" },
  });
  return rows.flatMap(({ id, orderId, state, sentAt, sealed }) => {
    if (sealed === null) return [];
    const { to, subject, text } = openMail(key, id, sealed);
    return [{ orderId, state, sentAt, to, subject, text }];
  });
}

/** Erases the contents of mails about orders, when their customers are erased. */
export async function eraseMails(tx: Transaction, shop: string, orderIds: string[]): Promise<void> {
  await tx.outgoingMail.updateMany({ where: { shop, orderId: { in: orderIds } }, data: { sealed: null } });
}

/**
 * An SQL condition: the mail `mail` of `m.shop` is old, and its order has no stored customer. It was written after
 * the order was erased.
 */
const isLeftOver = (before: Date) => Prisma.sql`mail.shop = m.shop AND mail.sealed IS NOT NULL
  AND mail.state <> 'waiting' AND mail."createdAt" < ${before.toISOString()}::timestamptz
  AND NOT EXISTS (SELECT FROM "Order" AS o
    WHERE o.shop = mail.shop AND o."orderId" = mail."orderId" AND o."erasedAt" IS NULL)`;

/** An SQL condition on `m.shop`: the shop has mails for `eraseMailsBefore`. */
export const hasMailsBefore = (before: Date) =>
  Prisma.sql`EXISTS (SELECT FROM "OutgoingMail" AS mail WHERE ${isLeftOver(before)})`;

/** Erases the contents of mails written after their order's customer was erased. @returns their number */
export function eraseMailsBefore(shop: string, before: Date): Promise<number> {
  return db.$executeRaw`
    UPDATE "OutgoingMail" AS mail SET sealed = NULL FROM "Merchant" AS m
    WHERE m.shop = ${shop} AND ${isLeftOver(before)}`;
}
