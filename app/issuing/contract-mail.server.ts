/** Mails a customer which contracts they have: once for each contract, all of an order in one mail. */
import { nameOf, itemKeyOf } from "#app/orders/book/events.ts";
import { z } from "zod";
import { isLink } from "#app/catalogue/references/reference.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { attachable } from "#app/documents/attachments.ts";
import { documentSizes } from "#app/documents/legal-documents.server.ts";
import { readTerms } from "#app/offers/offer-terms.server.ts";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { claimLink, insureLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import {
  coverPoints,
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

const soldOffer = z.object({
  referenceId: z.string(),
  /** null: what it was sold by is not known any more */
  categoryId: z.string().nullable(),
  formula: z.string().nullable(),
  isMonthly: z.boolean(),
  /** what the insurer says that it covers */
  bullets: z.array(z.string()).nullable(),
});

const mailing = z.object({
  /** the order's language, or the shop's */
  language: z.string(),
  orderName: z.string(),
  shopName: z.string(),
  settings: storefrontSettings.nullable(),
  offers: z.array(soldOffer),
});

async function readMailing(
  tx: Transaction,
  { shop, orderId, environment }: WorkingOrder,
  references: readonly string[],
): Promise<z.infer<typeof mailing> | null> {
  const rows = await tx.$queryRaw`
    SELECT o.name AS "orderName", m.name AS "shopName", COALESCE(o.language, m.locale) AS language,
      (SELECT s.settings FROM "StorefrontSettings" AS s WHERE s.shop = o.shop) AS settings,
      (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('referenceId', r."referenceId", 'categoryId', c."categoryId",
          'formula', r.formula, 'isMonthly', r.billing = 'monthly', 'bullets', c.marketing->'modal'->'bulletPoints')), '[]')
        FROM "Reference" AS r LEFT JOIN "Category" AS c
          ON c.shop = r.shop AND c.environment = r.environment AND c."categoryId" = r."categoryId"
        WHERE r.shop = o.shop AND r.environment = ${environment} AND r."referenceId" = ANY(${[...references]})
      ) AS offers
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
    const about =
      first &&
      (await readMailing(
        tx,
        working,
        mailed.map(({ sold }) => sold.referenceId),
      ));
    if (!appended || !first || !about) return { ...working, mailsContracts: false };
    const language = readLanguage(about.language) ?? "en";
    const contracts = mailed.flatMap((item) => {
      const row = itemRow(appended.order, item);
      if (row.contractId === null) return [];
      const offer = about.offers.find(({ referenceId }) => referenceId === item.sold.referenceId);
      return {
        ...row,
        contractId: row.contractId,
        monthlyPriceMinor: offer?.isMonthly === true ? row.offerPriceMinor : null,
        lastDay: row.insuredAt && lastWithdrawalDay(row.insuredAt, withdrawalDays, timezone),
        covers: coversOf(offer, about.settings, language),
        conditions: linkOrEmpty(item.sold.conditionsUrl),
        ipid: linkOrEmpty(item.sold.ipidUrl),
      };
    });
    const { orderName, shopName } = about;
    const canInsure = isInsurable(appended.order, await readInsurableDays(shop, tx), working.now);
    const attachments = await attachmentsOf(tx, shop, mailed, language);
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
async function attachmentsOf(tx: Transaction, shop: string, items: readonly Item[], language: Language) {
  const terms = await readTerms(
    tx,
    shop,
    items.flatMap(({ sold }) => sold.termsSha256 ?? []),
  );
  const t = textsOf(language, "common");
  const documents = [...terms.values()].flatMap(({ category, conditions, ipid }) =>
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

/** In the words in which the shop offered it. */
function coversOf(
  offer: z.infer<typeof soldOffer> | undefined,
  settings: z.infer<typeof storefrontSettings> | null,
  language: Language,
): readonly string[] {
  if (offer?.categoryId == null) return [];
  const { categoryId, formula, bullets } = offer;
  const keys = [coverKey(categoryId, formula), categoryKey(categoryId)];
  return coverPoints(settings ?? defaultStorefrontSettings, language, { keys, bullets: bullets ?? [] });
}
