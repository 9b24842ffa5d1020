/** Mails a customer which contracts they have: once for each contract, all of an order in one mail. */
import { z } from "zod";
import { isLink } from "#app/catalogue/references/reference.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { insureLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import {
  coverPoints,
  defaultStorefrontSettings,
  storefrontSettings,
} from "#app/offers/storefront-settings.ts";
import { joinCategory } from "#app/orders/ledger/items.server.ts";
import { isInsurable } from "#app/orders/quote-conditions.server.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { type Language, readLanguage } from "#app/platform/locale.ts";
import { lastWithdrawalDay } from "#app/withdrawals/withdrawal.ts";
import { withItems, type WorkingOrder, type WorkingItem } from "./working-order.server.ts";
import { contractMail } from "./contract-mail.ts";

const mailedRow = z.object({
  lineId: z.string(),
  itemNumber: z.int(),
  mailedAt: z.coerce.date(),
  orderName: z.string(),
  /** the order's language, or the shop's */
  language: z.string(),
  shopName: z.string(),
  /** null: what it was sold by is not known any more */
  categoryId: z.string().nullable(),
  formula: z.string().nullable(),
  /** the offer's price, before discounts, where it is paid for each month; null: it was paid once */
  monthlyPriceMinor: z.int().nullable(),
  /** what the insurer says that it covers */
  bullets: z.array(z.string()).nullable(),
  settings: storefrontSettings.nullable(),
  /** something of the order is not insured, and can be */
  isInsurable: z.boolean(),
});
type MailedRow = z.infer<typeof mailedRow>;

/** @param keys `line-item` of each; @returns those that this transaction is the first to mail */
async function markMailed(
  tx: Transaction,
  shop: string,
  orderId: string,
  keys: readonly string[],
): Promise<MailedRow[]> {
  const rows = await tx.$queryRaw`
    WITH mailed AS (
      UPDATE "InsuredItem" AS u SET "mailedAt" = now()
      WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."mailedAt" IS NULL
        AND u."lineId" || '-' || u."itemNumber" = ANY(${keys})
      RETURNING u.*
    )
    SELECT u."lineId", u."itemNumber", u."mailedAt", o.name AS "orderName", m.name AS "shopName",
      COALESCE(o.language, m.locale) AS language, c."categoryId", r.formula,
      CASE WHEN r.billing = 'monthly' THEN u."offerPriceMinor" END AS "monthlyPriceMinor",
      c.marketing->'modal'->'bulletPoints' AS bullets,
      (SELECT s.settings FROM "StorefrontSettings" AS s WHERE s.shop = u.shop) AS settings, ${isInsurable} AS "isInsurable"
    FROM mailed AS u
      JOIN "Order" AS o ON o.shop = u.shop AND o."orderId" = u."orderId"
      JOIN "Merchant" AS m ON m.shop = u.shop
      ${joinCategory}
    ORDER BY u."lineId", u."itemNumber"`;
  return z.array(mailedRow).parse(rows);
}

/** The items are marked and the mail is stored in one transaction, so a crash sends neither two mails nor none. */
export async function mailContracts(
  order: WorkingOrder,
  items: readonly WorkingItem[],
): Promise<WorkingOrder> {
  const { shop, orderId, customer, environment, timezone, withdrawalDays, claimContact } = order;
  const email = customer?.email ?? null;
  if (email === null) return order;
  const dataKey = await dataKeyOf(shop);
  const mailed = await db.$transaction(async (tx) => {
    const rows = await markMailed(tx, shop, orderId, items.map(keyOf));
    const [first] = rows;
    if (!first) return [];
    const language = readLanguage(first.language) ?? "en";
    const contracts = rows.flatMap((row) => {
      const item = items.find((each) => keyOf(each) === keyOf(row));
      if (!item || item.contractId === null) return [];
      return [
        {
          ...item,
          contractId: item.contractId,
          monthlyPriceMinor: row.monthlyPriceMinor,
          lastDay: item.insuredAt && lastWithdrawalDay(item.insuredAt, withdrawalDays, timezone),
          covers: coversOf(row, language),
          conditions: linkOrEmpty(item.conditionsUrl),
          ipid: linkOrEmpty(item.ipidUrl),
        },
      ];
    });
    const { orderName, shopName } = first;
    const about = {
      orderName,
      shopName: shopName === "" ? shop : shopName,
      isTest: environment === "test",
      withdrawal: withdrawalLink(shop, orderId),
      insure: first.isInsurable ? insureLink(shop, orderId, "post_purchase_email") : null,
      claimContact,
    };
    const mail = contractMail(about, contracts, language);
    await queueMail(tx, shop, dataKey, {
      id: `contracts:${orderId}:${keyOf(first)}`,
      orderId,
      to: email,
      ...mail,
    });
    return rows;
  });
  const mailedAt = mailed[0]?.mailedAt ?? null;
  // Without a row another worker has mailed them: then they are read again, and not now.
  return mailedAt === null
    ? { ...order, mailsContracts: false }
    : withItems(
        order,
        items.map((item) => ({ ...item, mailedAt })),
      );
}

const keyOf = ({ lineId, itemNumber }: { lineId: string; itemNumber: number }) => `${lineId}-${itemNumber}`;

const linkOrEmpty = (address: string | null) => (address !== null && isLink(address) ? address : "");

/** In the words in which the shop offered it. */
function coversOf(
  { categoryId, formula, bullets, settings }: MailedRow,
  language: Language,
): readonly string[] {
  if (categoryId === null) return [];
  const keys = [coverKey(categoryId, formula), categoryKey(categoryId)];
  return coverPoints(settings ?? defaultStorefrontSettings, language, { keys, bullets: bullets ?? [] });
}
