/** A customer's withdrawal from contracts of their order: what may be withdrawn from, and the declaration itself. */
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { readContractClaims } from "#app/claims/claims.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { appendToBook } from "#app/orders/book/book.server.ts";
import { type ItemKey, nameOf, itemKeyOf } from "#app/orders/book/events.ts";
import { type Item, type Order, ownEndReasonOf } from "#app/orders/book/evolve.ts";
import { stateOf } from "#app/orders/book/projection.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { acknowledgementMail } from "./acknowledgement.ts";
import { readWithdrawalOrder } from "./withdrawable-items.server.ts";
import {
  type Declarant,
  lastWithdrawalDay,
  refundDay,
  withdrawalDays,
  type WithdrawalItem,
  type WithdrawalView,
  withdrawalState,
} from "./withdrawal.ts";

/**
 * What the order's customer may withdraw from. Null: the shop has no such order. The time to withdraw runs on after the
 * merchant has removed the app, so the page lives until the shop's data is erased.
 */
export async function readWithdrawal(shop: string, orderId: string): Promise<WithdrawalView | null> {
  const [merchant, settings, order] = await Promise.all([
    findMerchant(shop),
    readMerchantSettings(shop),
    readWithdrawalOrder(shop, orderId),
  ]);
  if (!order || !merchant) return null;
  const { isSoldByPreviousStore: isBefore } = order;
  const contracts = order.items.flatMap(({ contractId }) =>
    contractId === null ? [] : { contractId, isSoldByPreviousStore: isBefore },
  );
  const claims = await readContractClaims(shop, order.environment, contracts);
  const { timezone } = merchant;
  const customer =
    order.sealedCustomer === null ? null : openCustomer(await dataKeyOf(shop), orderId, order.sealedCustomer);
  return {
    shop,
    shopName: merchant.name === "" ? shop : merchant.name,
    isTest: order.environment === "test",
    isMailed: mailIsOn,
    timezone,
    isRemoved: merchant.uninstalledAt !== null,
    orderId,
    orderName: order.name,
    language: readLanguage(order.language) ?? merchant.locale,
    customer: customer && {
      name: [customer.firstName, customer.lastName].filter((part) => part !== null).join(" "),
      email: customer.email,
    },
    items: order.items.map((item) => {
      const hasClaim = (claims.get(item.contractId ?? "")?.claims.length ?? 0) > 0;
      const days = settings.withdrawalDays;
      const { isCancelled } = order;
      return {
        key: keyOf(item),
        state: withdrawalState(item, { isCancelled, hasClaim, days, timezone, now: new Date() }),
        withdrawnAt: item.withdrawnAt,
        isWithoutClaim: item.contractId === null || isFree(claims.get(item.contractId)),
        isBeingChecked: item.withdrawnAt !== null && item.wanted && item.state !== "cancelled",
        planTitle: item.planTitle,
        insuredTitle: item.insuredTitle,
        contractId: item.contractId,
        premiumMinor: order.isPaid ? item.premiumMinor : 0,
        currency: item.currency,
        lastDay:
          item.insuredAt && lastWithdrawalDay(item.insuredAt, withdrawalDays(hasClaim, days), timezone),
      };
    }),
  };
}

const isFree = (known: { isCurrent: boolean; claims: readonly unknown[] } | undefined) =>
  known?.isCurrent === true && known.claims.length === 0;

const keyOf = ({ lineId, itemNumber }: { lineId: string; itemNumber: number }) =>
  nameOf({ lineId, number: itemNumber });

/**
 * Appends the declaration to the order's book: the items are not to be insured any more, and issuing does the rest, as
 * after a refund. The book yields a task that tells the merchant what to pay back and until when. A repetition changes
 * nothing; what ended meanwhile stays ended. Where a claim was filed, or may have been, the declaration is recorded and
 * the insurance goes on until the merchant has checked: an ended contract cannot be restored. The acknowledgement goes to
 * the customer by mail.
 * @param items of the view, those that it says are open
 */
export async function declareWithdrawal(
  view: WithdrawalView,
  items: readonly WithdrawalItem[],
  declarant: Declarant,
): Promise<void> {
  const { shop, orderId, timezone } = view;
  const mails = view.isMailed ? recipientsOf(view, declarant) : [];
  const dataKey = await dataKeyOf(shop);
  await db.$transaction(async (tx) => {
    let declared: ItemKey[] = [];
    const appended = await appendToBook(tx, shop, orderId, ({ order, now }) => {
      const open = order.items.filter(
        (item) => items.some(({ key }) => key === nameOf(item)) && isOpen(order, item),
      );
      if (open.length === 0) return null;
      declared = open.map(itemKeyOf);
      const isFreeOfClaims = (item: ItemKey) =>
        items.some(({ key, isWithoutClaim }) => key === nameOf(item) && isWithoutClaim);
      return [
        {
          type: "withdrew",
          items: declared,
          unchecked: declared.filter((item) => !isFreeOfClaims(item)),
          refundBy: refundDay(now, timezone),
          isMailed: mails.length > 0,
        },
      ];
    });
    const [first] = declared;
    if (appended === null || first === undefined) return;
    if (view.isRemoved)
      log.warn(
        { shop, orderId },
        "A customer withdrew after the merchant had removed the app: tell the merchant what to refund",
      );
    const done = appended.order.items.flatMap((item) => {
      const shown = items.find(({ key }) => key === nameOf(item));
      if (!shown || item.withdrawal === null || !declared.some((key) => nameOf(key) === nameOf(item)))
        return [];
      const { at, isUnchecked } = item.withdrawal;
      return { ...shown, withdrawnAt: at, isBeingChecked: isUnchecked };
    });
    const declaredAt = done[0]?.withdrawnAt.toISOString() ?? "";
    const id = `withdrawal:${orderId}:${declaredAt}:${nameOf(first)}`;
    for (const { to, name, suffix } of mails) {
      const mail = acknowledgementMail(
        { ...view, items: done },
        { ...declarant, name },
        withdrawalLink(shop, orderId),
      );
      await queueMail(tx, shop, dataKey, { id: `${id}${suffix}`, orderId, to, ...mail });
    }
  });
}

/**
 * The acknowledgement goes to the entered address, and always to the order's own, whose owner notices a declaration by
 * another person with the link. The declared name goes to the order's own address alone: else a stranger with the link
 * could have the shop send words of their choice to an address of their choice.
 */
function recipientsOf(view: WithdrawalView, { name, email }: Declarant) {
  const own = view.customer?.email ?? null;
  const isOther = email !== null && email.toLowerCase() !== own?.toLowerCase();
  return [
    ...(own === null ? [] : [{ to: own, name, suffix: "" }]),
    ...(isOther ? [{ to: email, name: "", suffix: ":entered" }] : []),
  ];
}

/** Whether nothing has ended the item's insurance yet. */
const isOpen = (order: Order, item: Item): boolean =>
  item.withdrawal === null && ownEndReasonOf(order, item) === null && stateOf(order, item) !== "cancelled";
