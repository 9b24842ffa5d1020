/**
 * Checks the insurer's commissions against its sales, by the rules of the specification ("Commission rules on Sales",
 * "Rules on Commission `type`"). Amounts are euro cents.
 */
import { oneYearAfter } from "#app/analytics/commission-rules.ts";
import type { Difference, DifferenceKind, Shown } from "./difference.ts";
import {
  byDay,
  COMMISSION_CURRENCY,
  type CommissionFacts,
  isCancelled,
  type SaleFacts,
} from "./insurer-figures.ts";
import { airPaidTwice, COMMISSION_DAYS, daysBetween, missingAirDays } from "./missing-air.ts";
import { monthOfDay } from "./month.ts";
import type { SettlementFacts } from "./settlement-facts.ts";

export function commissionDifferences(facts: SettlementFacts): Difference[] {
  const { insurer } = facts;
  if (insurer === null) return [];
  const contracts = new Map(facts.contracts.map((contract) => [contract.contractId, contract]));
  const isOurs = (storeId: string, saleId: string) =>
    facts.storeIds.includes(storeId) || (facts.isOwnStore && contracts.has(saleId));
  const isSameShop = (a: string, b: string) =>
    a === b || (facts.storeIds.includes(a) && facts.storeIds.includes(b));
  const bySale = Map.groupBy(insurer.commissions, ({ saleId }) => saleId);
  const sales = new Map(insurer.sales.map((sale) => [sale.saleId, sale]));
  // A commission of a closed month may have come after its closing: it is checked where its amount is counted, too.
  const counted = new Set(insurer.counted.map(({ commission }) => commission.commissionId));
  const toDifference = ({ kind, saleId, ...found }: Found): Difference => ({
    kind,
    contractId: saleId,
    order: contracts.get(saleId)?.order ?? null,
    currency: COMMISSION_CURRENCY,
    here: null,
    there: null,
    ...found,
  });
  const ofSales = insurer.sales
    .filter(({ storeId, saleId }) => isOurs(storeId, saleId))
    .flatMap((sale) => {
      const commissions = bySale.get(sale.saleId) ?? [];
      const termMonths = contracts.get(sale.saleId)?.termMonths ?? null;
      const readOn = insurer.readOn(sale.date);
      return [
        ...(monthOfDay(sale.date) === facts.month
          ? [...brokenSaleRules(sale, termMonths), ...missingFront(sale, commissions, readOn)]
          : []),
        ...missingAirDays(sale, commissions, termMonths, readOn)
          .filter((day) => monthOfDay(day) === facts.month)
          .map((day) => missing(sale.saleId, sale.airMinor ?? 0, day)),
      ];
    });
  const ofCommissions = [...bySale].flatMap(([ofSale, commissions]) => {
    const sale = sales.get(ofSale);
    const twice =
      commissions.length < 2
        ? null
        : new Set([...frontPaidTwice(commissions), ...airPaidTwice(sale, commissions)]);
    return commissions
      .filter(
        ({ commissionId, date, storeId, saleId }) =>
          counted.has(commissionId) || (monthOfDay(date) === facts.month && isOurs(storeId, saleId)),
      )
      .flatMap((commission) => {
        if (twice?.has(commission)) return [foundOf("commission_twice", commission)];
        const broken = brokenCommissionRule(commission, sale);
        return [
          ...(broken === null ? [] : [broken]),
          ...(sale && !isSameShop(sale.storeId, commission.storeId)
            ? [
                {
                  ...foundOf("wrong_store", commission),
                  here: { text: sale.store },
                  there: { text: commission.store },
                },
              ]
            : []),
        ];
      });
  });
  return [...ofSales, ...ofCommissions].map(toDifference);
}

interface Found {
  kind: DifferenceKind;
  saleId: string;
  amountMinor: number;
  day: string;
  here?: Shown | null;
  there?: Shown | null;
}

const foundOf = (kind: DifferenceKind, { saleId, amountMinor, date }: CommissionFacts): Found => ({
  kind,
  saleId,
  amountMinor: Math.abs(amountMinor),
  day: date,
});

const euros = (minor: number): Shown => ({ minor, currency: COMMISSION_CURRENCY });
const eurosOrNull = (minor: number | null): Shown | null => (minor === null ? null : euros(minor));

/** The rule that the amounts of a sale contradict. @param termMonths of its contract; null: not known */
export function brokenSaleRules(sale: SaleFacts, termMonths: number | null): Found[] {
  const { saleId, date, monthly, frontMinor, airMinor } = sale;
  const broken = (kind: DifferenceKind, amountMinor: number): Found[] => [
    { kind, saleId, amountMinor, day: date, there: eurosOrNull(frontMinor ?? airMinor) },
  ];
  // Rule 1, annual: FRONT is the whole commission, AIR is always null.
  if (!monthly) {
    if (airMinor !== null) return broken("sale_rule_1", airMinor);
    return frontMinor === null ? broken("sale_rule_1", 0) : [];
  }
  if (airMinor !== null) return [];
  // Rule 3, monthly without an advance: AIR from year 1.
  if (frontMinor === null) return broken("sale_rule_3", 0);
  // Rule 2, monthly with an advance: AIR from year 2, which a contract of one year never reaches.
  return termMonths !== null && termMonths > 12 ? broken("sale_rule_2", 0) : [];
}

/** The rule that a commission contradicts. @param sale undefined: the insurer shows none of its contract */
export function brokenCommissionRule(commission: CommissionFacts, sale: SaleFacts | undefined): Found | null {
  const { type, billingType, date } = commission;
  const amountMinor = Math.abs(commission.amountMinor);
  const isMonthly = commission.monthly && sale?.monthly !== false;
  const broken = (kind: DifferenceKind, expected: Shown | null): Found => ({
    ...foundOf(kind, commission),
    here: expected,
    there: euros(amountMinor),
  });
  // Rule 4: an annual contract has no AIR.
  if (type === "air" && !isMonthly) return broken("commission_rule_4", null);
  if (sale === undefined) return null;
  // A refund may give back a part of it.
  const isOther = (expectedMinor: number) => billingType === "collected" && amountMinor !== expectedMinor;
  if (type === "front") {
    if (sale.frontMinor === null) return isMonthly ? broken("commission_rule_1", null) : null;
    // Rules 1 and 2: the advance, or the whole commission of an annual contract.
    if (!isOther(sale.frontMinor)) return null;
    return broken(isMonthly ? "commission_rule_1" : "commission_rule_2", euros(sale.frontMinor));
  }
  // Rule 3: AIR from year 2; without an advance from year 1 (rule 3 of sales).
  const airFrom = sale.frontMinor === null ? sale.date : oneYearAfter(sale.date);
  if (billingType === "collected" && date < airFrom) return broken("commission_rule_3", { day: airFrom });
  const rule = sale.frontMinor === null ? "sale_rule_3" : "sale_rule_2";
  if (sale.airMinor === null) return broken(rule, null);
  return isOther(sale.airMinor) ? broken(rule, euros(sale.airMinor)) : null;
}

/** FRONT commissions of one contract after the first one that was not taken back. */
function frontPaidTwice(commissions: readonly CommissionFacts[]): CommissionFacts[] {
  const twice: CommissionFacts[] = [];
  let paid = 0;
  const fronts = commissions.filter(({ type }) => type === "front").toSorted(byDay);
  for (const ofDay of Map.groupBy(fronts, ({ date }) => date).values()) {
    // What is taken back may be paid again, also on the same day.
    paid -= ofDay.filter(({ billingType }) => billingType === "refunded").length;
    for (const front of ofDay.filter(({ billingType }) => billingType === "collected")) {
      if (paid > 0) twice.push(front);
      else paid += 1;
    }
  }
  return twice;
}

/** Spec, "Commission rules on Sales", 1 and 2: FRONT is paid once, with the sale. */
function missingFront(sale: SaleFacts, commissions: readonly CommissionFacts[], readOn: string): Found[] {
  const { saleId, date, frontMinor } = sale;
  if (frontMinor === null || frontMinor === 0 || isCancelled(sale)) return [];
  // AIR does not pay the FRONT that is due first.
  if (commissions.some(({ type }) => type === "front")) return [];
  // A sale that was never read has an empty day.
  return daysBetween(date, readOn) > COMMISSION_DAYS ? [missing(saleId, frontMinor, date)] : [];
}

const missing = (saleId: string, amountMinor: number, day: string): Found => ({
  kind: "commission_missing",
  saleId,
  amountMinor,
  day,
  here: euros(amountMinor),
});
