/** Compares the contracts of the books with the insurer's contracts and sales. */
import { minorDigits } from "../../extensions/currency-digits.ts";
import type { Difference, DifferenceKind, Shown } from "./difference.ts";
import { isCancelled, type SaleFacts } from "./insurer-figures.ts";
import { monthOfDay } from "./month.ts";
import type { HeldContract, SettlementFacts } from "./settlement-facts.ts";

/** Days may be off by the time zone of the insurer. */
const PERIOD_TOLERANCE_DAYS = 1;
const DAY_MS = 86_400_000;

export function contractDifferences(facts: SettlementFacts): Difference[] {
  if (!facts.isOwnStore) return [];
  const sales = new Map(facts.insurer?.sales.map((sale) => [sale.saleId, sale]));
  const movements = Map.groupBy(facts.movements, ({ contractId }) => contractId ?? "");
  return [
    ...facts.contracts.flatMap((contract) => {
      const ofContract = movements.get(contract.contractId) ?? [];
      return compareContract(facts, contract, sales.get(contract.contractId), {
        lastBegunOn: ofContract.findLast(({ kind }) => kind === "contract")?.happenedOn ?? null,
        refundedMinor: -ofContract
          .filter(({ kind }) => kind === "refund")
          .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        refundedOn: ofContract.findLast(({ kind }) => kind === "refund")?.happenedOn ?? "",
      });
    }),
    ...unknownSales(facts),
  ];
}

/** What happened to a contract in the month. */
interface OfMonth {
  /** null: it did not come into force in the month */
  lastBegunOn: string | null;
  refundedMinor: number;
  refundedOn: string;
}

function compareContract(
  { month, today, storeIds, insurer }: SettlementFacts,
  contract: HeldContract,
  sale: SaleFacts | undefined,
  { lastBegunOn, refundedMinor, refundedOn }: OfMonth,
): Difference[] {
  const {
    contractId,
    order,
    currency,
    offerPriceMinor: amountMinor,
    begunOn,
    endedOn,
    endedThereOn,
  } = contract;
  const found: Difference[] = [];
  const add = (kind: DifferenceKind, day: string, parts: Partial<Difference> = {}) =>
    found.push({ kind, contractId, order, amountMinor, currency, day, here: null, there: null, ...parts });
  const isThere = insurer === null ? contract.status !== "missing" : sale !== undefined;
  const isEndedThere = sale === undefined ? contract.status === "cancelled" : isCancelled(sale);

  if (lastBegunOn !== null && begunOn !== null) {
    if (endedOn === null && !isThere && (insurer === null || insurer.readOn(begunOn) > begunOn))
      add("missing_there", begunOn, { here: { day: begunOn } });
    const { shownPrice } = contract;
    const otherPrice = shownPrice ?? (sale && priceOfSale(sale, currency));
    if (shownPrice !== null && shownPrice.currency !== currency)
      add("currency", begunOn, { here: inMoney(amountMinor, currency), there: shownPrice });
    else if (otherPrice && otherPrice.minor !== amountMinor)
      add("price", begunOn, {
        amountMinor: otherPrice.minor - amountMinor,
        here: inMoney(amountMinor, currency),
        there: otherPrice,
      });
    if (sale && storeIds.length > 0 && !storeIds.includes(sale.storeId))
      add("wrong_store", begunOn, { there: { text: sale.store } });
    if (sale && isOtherPeriod(begunOn, sale.date))
      add("wrong_period", begunOn, { here: { day: begunOn }, there: { day: sale.date } });
  }
  if (isEndedThere && endedOn === null) {
    const day = sale?.cancelledOn ?? endedThereOn ?? sale?.date ?? null;
    if (day !== null && monthOfDay(day) === month) add("cancelled_only_there", day, { there: { day } });
  }
  // What came into force on the day of the import, or ended then or later, may not be in its figures yet.
  const readOn = insurer === null || sale === undefined ? today : insurer.readOn(sale.date);
  if (endedOn !== null && !isEndedThere && isThere) {
    // What came into force after its end was known belongs to the month that owes it.
    const isAgain = lastBegunOn !== null && lastBegunOn >= endedOn;
    const day = isAgain ? lastBegunOn : endedOn;
    if ((isAgain || monthOfDay(day) === month) && readOn > day)
      add("cancelled_only_here", day, { here: { day: endedOn } });
  }
  if (refundedMinor > 0 && endedOn === null && !isEndedThere)
    add("refunded_without_cancellation", refundedOn, {
      amountMinor: refundedMinor,
      here: inMoney(refundedMinor, currency),
    });
  return found;
}

/** Sales of the points of sale that no order and no quote here has. */
function unknownSales({
  month,
  storeIds,
  since,
  currency,
  contracts,
  otherContracts,
  insurer,
}: SettlementFacts) {
  const known = new Set(contracts.map(({ contractId }) => contractId));
  return (insurer?.sales ?? [])
    .filter(
      (sale) => storeIds.includes(sale.storeId) && monthOfDay(sale.date) === month && sale.date >= since,
    )
    .filter(({ saleId }) => !known.has(saleId) && !otherContracts.has(saleId))
    .map((sale): Difference => {
      const there = priceOfSale(sale, currency);
      return {
        kind: "missing_here",
        contractId: sale.saleId,
        order: null,
        amountMinor: there.minor,
        currency,
        day: sale.date,
        here: null,
        there,
      };
    });
}

const inMoney = (minor: number, currency: string): Shown => ({ minor, currency });

/** The price of a sale, which is sent without its currency and is stored with two decimals. */
function priceOfSale({ priceMinor }: SaleFacts, currency: string): { minor: number; currency: string } {
  return { minor: Math.round(priceMinor * 10 ** (minorDigits(currency) - 2)), currency };
}

function isOtherPeriod(begunOn: string, soldOn: string): boolean {
  const days = Math.abs(Date.parse(begunOn) - Date.parse(soldOn)) / DAY_MS;
  return monthOfDay(begunOn) !== monthOfDay(soldOn) && days > PERIOD_TOLERANCE_DAYS;
}
