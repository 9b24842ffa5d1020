/** Mails a customer which contracts they have: once for each contract, all of an order in one mail. */
import { isLink } from "#app/catalogue/references/reference.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { insureLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { coverPoints, defaultStorefrontSettings } from "#app/offers/storefront-settings.ts";
import { db } from "#app/platform/db.server.ts";
import { type Language, readLanguage } from "#app/platform/locale.ts";
import { withItems, type WorkingOrder, type WorkingItem } from "./working-order.server.ts";
import { lastWithdrawalDay } from "#app/withdrawals/withdrawal.ts";
import { contractMail } from "./contract-mail.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { type MailedRow, markMailed } from "./notify-rows.server.ts";

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
