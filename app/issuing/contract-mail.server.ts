/** Mails a customer which contracts they have: once for each contract, all of an order in one mail. */
import { nameOf, itemKeyOf } from "#app/orders/book/events.ts";
import { z } from "zod";
import { isLink } from "#app/platform/web-address.ts";
import { attachable } from "#app/documents/attachments.ts";
import { documentSizes } from "#app/documents/legal-documents.server.ts";
import { readTerms } from "#app/offers/offer-terms.server.ts";
import type { OfferTerms } from "#app/offers/offer-terms.ts";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { claimLink, insureLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import {
  defaultStorefrontSettings,
  insurerText,
  storefrontSettings,
} from "#app/offers/storefront-settings.ts";
import { appendToBook } from "#app/orders/book/book.server.ts";
import { type Item } from "#app/orders/book/evolve.ts";
import { itemRow } from "#app/orders/book/projection.ts";
import { isInsurable } from "#app/orders/book/quote-rules.ts";
import { readInsurableDays } from "#app/merchants/quote-settings.server.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { type Language, readLanguage } from "#app/platform/locale.ts";
import { lastWithdrawalDay } from "#app/withdrawals/withdrawal.ts";
import type { WorkingOrder } from "./working-order.server.ts";
import { contractMail } from "./contract-mail.ts";

const mailing = z.object({
  /** the order's language, or the shop's */
  language: z.string(),
  orderName: z.string(),
  shopName: z.string(),
  settings: storefrontSettings.nullable(),
});

async function readMailing(
  tx: Transaction,
  { shop, orderId }: WorkingOrder,
): Promise<z.infer<typeof mailing> | null> {
  const rows = await tx.$queryRaw`
    SELECT o.name AS "orderName", m.name AS "shopName", COALESCE(o.language, m.locale) AS language,
      (SELECT s.settings FROM "StorefrontSettings" AS s WHERE s.shop = o.shop) AS settings
    FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(mailing).max(1).parse(rows)[0] ?? null;
}

/** The event and the mail are stored in one transaction, so a crash sends neither two mails nor none. */
export async function mailContracts(working: WorkingOrder, items: readonly Item[]): Promise<WorkingOrder> {
  const { shop, orderId, customer, environment, timezone, withdrawalDays, claimContact } = working;
  const email = customer?.email ?? null;
  if (email === null) return { ...working, mailsContracts: false };
  const dataKey = await dataKeyOf(shop);
  const names = new Set(items.map(nameOf));
  return db.$transaction(async (tx) => {
    const mailed: Item[] = [];
    const appended = await appendToBook(
      tx,
      shop,
      orderId,
      ({ order }) => {
        mailed.push(...order.items.filter((item) => names.has(nameOf(item)) && item.mailedAt === null));
        const keys = mailed.map(itemKeyOf);
        return keys.length === 0 ? null : [{ type: "mailed", items: keys }];
      },
      { isWorker: true },
    );
    const [first] = mailed;
    const about = first && (await readMailing(tx, working));
    if (!appended || !first || !about) return { ...working, mailsContracts: false };
    const language = readLanguage(about.language) ?? "en";
    const digests = mailed.flatMap(({ sold }) => sold.termsSha256 ?? []);
    const terms = await readTerms(tx, shop, digests);
    const contracts = mailed.flatMap((item) => {
      const row = itemRow(appended.order, item);
      if (row.contractId === null) return [];
      const sold = terms.get(item.sold.termsSha256 ?? "");
      return {
        ...row,
        contractId: row.contractId,
        monthlyPriceMinor: sold?.billing === "monthly" ? row.offerPriceMinor : null,
        lastDay: row.insuredAt && lastWithdrawalDay(row.insuredAt, withdrawalDays, timezone),
        covers: sold?.covers ?? [],
        conditions: linkOrEmpty(item.sold.conditionsUrl),
        ipid: linkOrEmpty(item.sold.ipidUrl),
      };
    });
    const { orderName, shopName } = about;
    const canInsure = isInsurable(appended.order, await readInsurableDays(shop, tx), working.now);
    const attachments = await attachmentsOf(tx, shop, [...terms.values()], language);
    const mail = contractMail(
      {
        orderName,
        shopName: shopName === "" ? shop : shopName,
        isTest: environment === "test",
        withdrawal: withdrawalLink(shop, orderId),
        insure: canInsure ? insureLink(shop, orderId, "post_purchase_email") : null,
        claims: claimLink(shop, orderId),
        claimContact,
        insurer: insurerText(about.settings ?? defaultStorefrontSettings),
        complaints: about.settings?.complaints ?? "",
        hasAttachments: attachments.length > 0,
      },
      contracts,
      language,
    );
    await queueMail(tx, shop, dataKey, {
      id: `contracts:${orderId}:${nameOf(first)}`,
      orderId,
      to: email,
      ...mail,
      attachments,
    });
    return { ...working, order: appended.order };
  });
}

/** The conditions and IPIDs as they were when the items were sold: a link is no durable medium (CJEU C-49/11). */
async function attachmentsOf(
  tx: Transaction,
  shop: string,
  terms: readonly OfferTerms[],
  language: Language,
) {
  const t = textsOf(language, "common");
  const documents = terms.flatMap(({ category, conditions, ipid }) =>
    [
      { name: `${category} – ${t("conditions")}`, document: conditions },
      { name: `${category} – ${t("ipid")}`, document: ipid },
    ].flatMap(({ name, document }) =>
      document === null || document.sha256 === null
        ? []
        : [{ name: fileName(name), address: document.address, sha256: document.sha256 }],
    ),
  );
  const digests = documents.map(({ sha256 }) => sha256);
  return attachable(documents, await documentSizes(tx, shop, digests));
}

/** Categories are named by the insurer. */
const fileName = (name: string): string => cutText(name.replace(/[\p{Cc}\\/:*?"<>|]+/gu, " ").trim(), 120);

const linkOrEmpty = (address: string | null) => (address !== null && isLink(address) ? address : "");
