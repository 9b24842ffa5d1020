/** What the page of an order shows. */
import { z } from "zod";
import { findBillings } from "#app/catalogue/references/look-up.server.ts";
import { insureLink } from "#app/customers/customer-links.server.ts";
import type { Billing } from "#app/insurance/fields.ts";
import { environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { readConsentTexts } from "#app/offers/storefront-settings.server.ts";
import { readConsent } from "#app/orders/consent.ts";
import { missingFields } from "#app/orders/customer.ts";
import { ERASED_CONSENT, openConsent, openCustomer } from "#app/orders/sealed.server.ts";
import { type HistoryCause, isHistoryCause, reasons, itemStates } from "#app/orders/book/item-states.ts";
import { salesRecordStatuses } from "#app/orders/sales-record.ts";
import { statementsOf } from "#app/orders/statement.ts";
import { listOpenTasks } from "#app/orders/tasks/tasks.server.ts";
import type { TaskView } from "#app/orders/tasks/tasks.ts";
import { db } from "#app/platform/db.server.ts";
import { listFailedWebhooks } from "#app/inbox/stored-webhooks.server.ts";
import { listedItem, readOrderStanding } from "./order-list.server.ts";

const order = z.object({
  orderId: z.string(),
  name: z.string(),
  purchasedAt: z.date(),
  paidAt: z.date().nullable(),
  cancelledAt: z.date().nullable(),
  paymentMethod: z.string(),
  salesChannel: z.string(),
  erasedAt: z.date().nullable(),
  environment,
  salesRecordStatus: z.enum(salesRecordStatuses),
});

const storedItem = listedItem.extend({
  reason: z.enum(reasons).nullable(),
  attempt: z.int(),
  consent: z.string().nullable(),
  sealedConsent: z.string().nullable(),
  insuredLineId: z.string().nullable(),
  replacesItem: z.int().nullable(),
  endedInOrder: z.boolean(),
  withdrawnAt: z.date().nullable(),
  premiumAnswer: z.string().nullable(),
});
type StoredItem = z.infer<typeof storedItem>;
export interface ItemView extends Omit<StoredItem, "sealedConsent"> {
  /** a consent that staff noted in words; null: there is none, or it is erased */
  consentWords: string | null;
  /** when it was erased; null: it was not */
  consentErasedAt: Date | null;
  /** how often it is paid for; null: its reference is not known any more */
  billing: Billing | null;
  /** what was agreed to; null where it is not on record, as those of old, numbered versions */
  consentText: string | null;
  /** the merchant alone ended it, and its contract is not cancelled yet */
  canKeepInsured: boolean;
  /** the replacement that its cover and premium moved to; null: they did not */
  movedTo: string | null;
}

const historyEntry = z.object({
  id: z.coerce.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  at: z.date(),
  before: z.enum(itemStates).nullable(),
  after: z.enum(itemStates),
  cause: z.custom<HistoryCause>(isHistoryCause),
  attempt: z.int(),
  note: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export type OrderView = NonNullable<Awaited<ReturnType<typeof readOrderView>>>;

const customerDataOf = (tasks: readonly TaskView[]) =>
  tasks.find((task) => task.kind === "customer_data")?.details ?? null;

/** Null: there is no such order in this shop. */
export async function readOrderView(shop: string, orderId: string) {
  const found = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId } },
    include: {
      lines: { where: { shop }, orderBy: { lineId: "asc" } },
      items: { where: { shop }, orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }] },
    },
  });
  if (!found) return null;
  const row = order.parse(found);
  const items = z.array(storedItem).parse(found.items);
  const references = new Set(items.map(({ offerReferenceId }) => offerReferenceId));
  const [history, tasks, failedWebhooks, standing, billings] = await Promise.all([
    db.itemHistory.findMany({ where: { shop, orderId }, orderBy: { id: "asc" } }),
    listOpenTasks(shop, orderId),
    listFailedWebhooks(shop, orderId),
    readOrderStanding(shop, orderId),
    findBillings(shop, row.environment, [...references]),
  ]);
  const { fulfilment, canBeInsured, quoteContracts, statementTasks } = standing;
  const needed = customerDataOf(tasks);
  const hasSealed =
    found.sealedCustomer !== null || items.some(({ sealedConsent }) => sealedConsent !== null);
  const key = hasSealed ? await dataKeyOf(shop) : null;
  const customer =
    found.sealedCustomer === null || key === null ? null : openCustomer(key, orderId, found.sealedCustomer);
  return {
    ...row,
    customer,
    /** what a plan needs of the customer and the order lacks */
    missing: customer === null ? [] : missingFields(customer, needed?.missing.includes("phone") ?? false),
    /** what the insurer does not take as it is */
    refused: needed?.refused ?? null,
    lines: found.lines.map((line) => ({ ...line, plans: plansOf(line.lineId, items) })),
    items: (await withConsentTexts(shop, items)).map(({ sealedConsent, ...item }) => ({
      ...item,
      consentWords: key && openConsent(key, { orderId, lineId: item.lineId, sealedConsent }),
      consentErasedAt: sealedConsent === ERASED_CONSENT ? row.erasedAt : null,
      billing: billings.get(item.offerReferenceId) ?? null,
      canKeepInsured: tasks.some(
        (task) => task.canKeepInsured && task.lineId === item.lineId && task.itemNumber === item.itemNumber,
      ),
      movedTo: replacementOf(item, items)?.insuredTitle ?? null,
    })),
    quoteContracts,
    paidForPlans: sumOf(items),
    history: z.array(historyEntry).parse(history),
    tasks,
    /** what became of the premiums that were paid, by currency */
    statements: statementsOf(
      { paid: row.paidAt !== null, cancelled: row.cancelledAt !== null },
      items,
      statementTasks,
    ),
    failedWebhooks,
    /** whether the lines of contracts are fulfilled in the shop */
    fulfilment,
    /** where its customer insures what is not insured, for the merchant's own mails; null: nothing is left */
    insureLink: canBeInsured ? insureLink(shop, orderId, "post_purchase_email") : null,
  };
}

async function withConsentTexts(
  shop: string,
  items: StoredItem[],
): Promise<(StoredItem & Pick<ItemView, "consentText">)[]> {
  const versionOf = ({ consent }: { consent: string | null }) =>
    consent === null ? null : (readConsent(consent)?.version ?? null);
  const versions = items.map(versionOf).filter((version) => version !== null);
  const texts = await readConsentTexts(shop, [...new Set(versions)]);
  return items.map((item) => ({ ...item, consentText: texts.get(versionOf(item) ?? "") ?? null }));
}

const replacementOf = (
  { lineId, itemNumber }: Pick<StoredItem, "lineId" | "itemNumber">,
  items: readonly StoredItem[],
) => items.find((each) => each.lineId === lineId && each.replacesItem === itemNumber);

/** What several plans cost together with the order; null for one alone, and in several currencies. */
function sumOf(all: readonly StoredItem[]): { premiumMinor: number; currency: string } | null {
  const items = all.filter((item) => replacementOf(item, all) === undefined);
  const [first, ...others] = items;
  if (!first || others.length === 0 || others.some(({ currency }) => currency !== first.currency))
    return null;
  return {
    premiumMinor: items.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0),
    currency: first.currency,
  };
}

/** How many plans that insure a line are in each state. */
function plansOf(lineId: string, items: readonly StoredItem[]) {
  const ofLine = items.filter(({ insuredLineId }) => insuredLineId === lineId);
  const states = Map.groupBy(ofLine, ({ state }) => state);
  return [...states].map(([state, { length: count }]) => ({ state, count }));
}
