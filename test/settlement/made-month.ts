/** A made month of contracts on which shop and insurer agree, and ways to sow each kind of difference. */
import type { HeldContract } from "#app/settlement/settlement-facts.ts";
import { type DifferenceKind, differenceKinds } from "#app/settlement/difference.ts";
import type { CommissionFacts, SaleFacts } from "#app/settlement/insurer-figures.ts";
import type { Movement, SettlementFacts } from "#app/settlement/settlement-facts.ts";
import { daysBefore, monthsLater } from "#app/platform/day.ts";

export const MONTH = "2026-10";
const READ_ON = "2026-12-20";

/** A contract with all that either side knows of it. */
export interface Case {
  contract: HeldContract | null;
  movements: Movement[];
  sale: SaleFacts | null;
  commissions: CommissionFacts[];
}

const day = (index: number, month = MONTH) => `${month}-${String(2 + (index % 26)).padStart(2, "0")}`;

export type Billing = "annual" | "advance" | "monthly";
const billings: readonly Billing[] = ["annual", "advance", "monthly"];

/** Begun in an earlier month, billed monthly. */
const isOld = (index: number): boolean => index % 13 === 7;

/**
 * A contract on which both sides agree: some were cancelled and paid back, some sold with a discount, some begun long
 * before, and some are of the shop's other point of sale.
 */
export function agreedCase(index: number): Case {
  if (isOld(index)) return oldCase(index);
  const billing = billings[index % 3] ?? "annual";
  const isEnded = index % 11 === 5;
  const contractId = `CT-${index}`;
  const order = { id: String(5_000 + index), name: `#${5_000 + index}` };
  const begunOn = day(index);
  const priceMinor = 1_990 + (index % 50) * 100;
  const movement = (kind: Movement["kind"], amountMinor: number): Movement => ({
    id: `${index}-${kind}`,
    kind,
    amountMinor,
    currency: "EUR",
    happenedOn: begunOn,
    knownOn: begunOn,
    orderId: order.id,
    orderName: order.name,
    lineId: "2",
    itemNumber: 1,
    contractId,
    title: "24 months",
    referenceId: "SMA-24",
  });
  const discountMinor = index % 7 === 3 ? -300 : 0;
  const frontMinor = { annual: 400, advance: 1_200, monthly: null }[billing];
  const airMinor = { annual: null, advance: 100, monthly: 100 }[billing];
  const sale: SaleFacts = {
    saleId: contractId,
    date: begunOn,
    status: isEnded ? "cancelled" : "active",
    cancelledOn: isEnded ? begunOn : null,
    monthly: billing !== "annual",
    ...storeOf(index),
    priceMinor,
    frontMinor,
    airMinor,
  };
  const collected = commissionOf(sale, frontMinor === null ? "air" : "front");
  const later = frontMinor === null ? airsOf(sale, begunOn, index).slice(1) : [];
  return {
    contract: {
      contractId,
      order,
      termMonths: 24,
      offerPriceMinor: priceMinor,
      currency: "EUR",
      status: isEnded ? "cancelled" : "active",
      shownPrice: null,
      begunOn,
      endedOn: isEnded ? begunOn : null,
      endedThereOn: isEnded ? begunOn : null,
    },
    movements: [
      movement("premium", priceMinor),
      ...(discountMinor === 0 ? [] : [movement("discount", discountMinor)]),
      movement("contract", priceMinor),
      ...(isEnded
        ? [movement("contract_end", -priceMinor), movement("refund", -priceMinor - discountMinor)]
        : []),
    ],
    sale,
    commissions: isEnded
      ? [collected, { ...collected, commissionId: `${collected.commissionId}-back`, billingType: "refunded" }]
      : [collected, ...later],
  };
}

/** Both are this shop's. The commissions of all contracts are paid to the first. */
const storeOf = (index: number) =>
  index % 17 === 3 ? { store: "Lumen 2", storeId: "9" } : { store: "Lumen", storeId: "7" };

/** Collected each month up to two days late, from a day on. */
function airsOf(sale: SaleFacts, from: string, index: number): CommissionFacts[] {
  const airs: CommissionFacts[] = [];
  for (let month = 0; ; month += 1) {
    const date = daysBefore(monthsLater(from, month), month === 0 ? 0 : -((index + month * 7) % 3));
    if (date > (sale.cancelledOn ?? READ_ON)) return airs;
    airs.push({ ...commissionOf(sale, "air"), commissionId: `${sale.saleId}-air-${month}`, date });
  }
}

/** Begun 13 months before, with the AIR of each month since; some ended before the month. */
function oldCase(index: number): Case {
  const contractId = `CT-${index}`;
  const begunOn = monthsLater(day(index), -13);
  const hasAdvance = index % 2 === 0;
  const endedOn = index % 5 === 1 ? "2026-08-20" : null;
  const sale: SaleFacts = {
    saleId: contractId,
    date: begunOn,
    status: endedOn === null ? "active" : "cancelled",
    cancelledOn: endedOn,
    monthly: true,
    ...storeOf(index),
    priceMinor: 990,
    frontMinor: hasAdvance ? 1_200 : null,
    airMinor: 100,
  };
  return {
    contract: {
      contractId,
      order: { id: String(5_000 + index), name: `#${5_000 + index}` },
      termMonths: 24,
      offerPriceMinor: 990,
      currency: "EUR",
      status: endedOn === null ? "active" : "cancelled",
      shownPrice: null,
      begunOn,
      endedOn,
      endedThereOn: endedOn,
    },
    movements: [],
    sale,
    commissions: [
      ...(hasAdvance ? [commissionOf(sale, "front")] : []),
      ...airsOf(sale, hasAdvance ? monthsLater(begunOn, 12) : begunOn, index),
    ],
  };
}

/** A commission as the sale announces it. */
export const commissionOf = (sale: SaleFacts, type: "front" | "air"): CommissionFacts => ({
  commissionId: `${sale.saleId}-${type}`,
  date: sale.date,
  store: sale.storeId === "9" ? "Lumen" : sale.store,
  storeId: sale.storeId === "9" ? "7" : sale.storeId,
  saleId: sale.saleId,
  monthly: sale.monthly,
  billingType: "collected",
  type,
  amountMinor: (type === "front" ? sale.frontMinor : sale.airMinor) ?? 0,
});

interface Complete extends Case {
  contract: HeldContract;
  sale: SaleFacts;
}

interface Sowing {
  /** the billing that it needs, or a contract that began long before */
  of: Billing | "old";
  sow: (agreed: Complete) => Partial<Case>;
}

/** What makes each kind of a contract in force on which both sides agree. */
const sown: Record<DifferenceKind, Sowing> = {
  missing_there: { of: "annual", sow: () => ({ sale: null, commissions: [] }) },
  missing_here: { of: "annual", sow: () => ({ contract: null, movements: [] }) },
  price: { of: "annual", sow: ({ sale }) => ({ sale: { ...sale, priceMinor: sale.priceMinor + 250 } }) },
  currency: {
    of: "annual",
    sow: ({ contract }) => ({
      contract: { ...contract, shownPrice: { minor: contract.offerPriceMinor, currency: "CHF" } },
    }),
  },
  cancelled_only_here: {
    of: "annual",
    sow: ({ contract, movements }) => ({
      contract: {
        ...contract,
        endedOn: contract.begunOn,
        endedThereOn: contract.begunOn,
        status: "cancelled",
      },
      movements: movements.flatMap((each) =>
        each.kind === "contract"
          ? [each, { ...each, kind: "contract_end" as const, amountMinor: -each.amountMinor }]
          : [each],
      ),
    }),
  },
  cancelled_only_there: {
    of: "annual",
    sow: ({ sale }) => ({ sale: { ...sale, status: "cancelled", cancelledOn: day(20) } }),
  },
  refunded_without_cancellation: {
    of: "annual",
    sow: ({ movements }) => ({
      movements: movements.flatMap((each) =>
        each.kind === "premium" ? [each, { ...each, kind: "refund" as const, amountMinor: -500 }] : [each],
      ),
    }),
  },
  wrong_store: {
    of: "annual",
    sow: ({ sale, commissions }) => ({
      sale: { ...sale, storeId: "8", store: "Lyon" },
      commissions: commissions.map((each) => ({ ...each, storeId: "8", store: "Lyon" })),
    }),
  },
  wrong_period: {
    of: "annual",
    sow: ({ sale, commissions }) => ({
      sale: { ...sale, date: "2026-11-06" },
      commissions: commissions.map((each) => ({ ...each, date: "2026-11-06" })),
    }),
  },
  commission_missing: { of: "advance", sow: () => ({ commissions: [] }) },
  commission_twice: {
    of: "annual",
    sow: ({ commissions }) => ({
      commissions: commissions.flatMap((each) => [
        each,
        { ...each, commissionId: `${each.commissionId}-again` },
      ]),
    }),
  },
  sale_rule_1: { of: "annual", sow: ({ sale }) => ({ sale: { ...sale, airMinor: 100 } }) },
  sale_rule_2: { of: "advance", sow: ({ sale }) => ({ sale: { ...sale, airMinor: null } }) },
  sale_rule_3: {
    of: "monthly",
    sow: ({ sale, commissions }) => ({
      sale,
      commissions: commissions.map((each) => ({ ...each, amountMinor: each.amountMinor + 50 })),
    }),
  },
  commission_rule_1: {
    of: "monthly",
    sow: ({ sale, commissions }) => ({
      commissions: [...commissions, { ...commissionOf(sale, "front"), amountMinor: 1_200 }],
    }),
  },
  commission_rule_2: {
    of: "annual",
    sow: ({ commissions }) => ({ commissions: commissions.map((each) => ({ ...each, amountMinor: 300 })) }),
  },
  commission_rule_3: {
    of: "advance",
    sow: ({ sale, commissions }) => ({ commissions: [...commissions, commissionOf(sale, "air")] }),
  },
  commission_rule_4: {
    of: "annual",
    sow: ({ sale, commissions }) => ({
      commissions: [...commissions, { ...commissionOf(sale, "air"), amountMinor: 100 }],
    }),
  },
};

const isInMonth = ({ date }: CommissionFacts) => date.startsWith(MONTH);

/** The same kinds of contracts that began before, without a movement in the month. */
const sownLater: (Sowing & { kind: DifferenceKind })[] = [
  {
    kind: "commission_missing",
    of: "old",
    sow: ({ commissions }) => ({ commissions: commissions.filter((each) => !isInMonth(each)) }),
  },
  {
    kind: "commission_missing",
    of: "old",
    // The insurer stopped paying.
    sow: ({ commissions }) => ({ commissions: commissions.filter(({ date }) => date < MONTH) }),
  },
  {
    kind: "commission_twice",
    of: "old",
    sow: ({ commissions }) => ({
      commissions: commissions.flatMap((each) =>
        isInMonth(each) ? [each, { ...each, commissionId: `${each.commissionId}-again` }] : [each],
      ),
    }),
  },
  {
    kind: "cancelled_only_here",
    of: "old",
    sow: ({ contract }) => ({ contract: { ...contract, endedOn: day(20) } }),
  },
  {
    kind: "cancelled_only_there",
    of: "old",
    sow: ({ contract, sale }) => ({
      contract: { ...contract, status: "cancelled", endedThereOn: day(20) },
      sale: { ...sale, status: "cancelled" },
    }),
  },
  {
    kind: "cancelled_only_there",
    of: "old",
    sow: ({ contract, commissions }) => ({
      contract: { ...contract, status: "cancelled", endedThereOn: day(20) },
      sale: null,
      commissions: commissions.filter(({ type }) => type === "front"),
    }),
  },
  {
    kind: "wrong_store",
    of: "old",
    sow: ({ commissions }) => ({
      commissions: commissions.map((each) =>
        isInMonth(each) ? { ...each, storeId: "8", store: "Lyon" } : each,
      ),
    }),
  },
];

export const sowings: (Sowing & { kind: DifferenceKind })[] = [
  ...differenceKinds.map((kind) => ({ kind, ...sown[kind] })),
  ...sownLater,
];

export const sownCase = (kind: DifferenceKind, index: number): Case => sowIn({ kind, ...sown[kind] }, index);

/** The case `index` with a difference, of the billing that it needs and in force. */
export function sowIn({ of, sow }: Sowing & { kind: DifferenceKind }, index: number): Case {
  let suitable = index;
  const isSuitable = () =>
    of === "old"
      ? isOld(suitable) && suitable % 5 !== 1
      : !isOld(suitable) && billings[suitable % 3] === of && suitable % 11 !== 5;
  while (!isSuitable()) suitable += 100_003;
  const agreed = agreedCase(suitable);
  const { contract, sale } = agreed;
  if (contract === null || sale === null) throw new Error("An agreed case has both sides");
  return { ...agreed, ...sow({ ...agreed, contract, sale }) };
}

export function factsOf(cases: readonly Case[], changes: Partial<SettlementFacts> = {}): SettlementFacts {
  const commissions = cases.flatMap((each) => each.commissions);
  return {
    month: MONTH,
    today: READ_ON,
    storeIds: ["7", "9"],
    isOwnStore: true,
    currency: "EUR",
    since: "2020-01-01",
    movements: cases.flatMap(({ movements }) => movements),
    contracts: cases.flatMap(({ contract }) => contract ?? []),
    otherContracts: new Set(),
    insurer: {
      sales: cases.flatMap(({ sale }) => sale ?? []),
      commissions,
      counted: commissions
        .filter(({ date }) => date.startsWith(MONTH))
        .map((commission) => ({
          commission,
          foundOn: READ_ON,
          amountMinor:
            commission.billingType === "refunded" ? -commission.amountMinor : commission.amountMinor,
        })),
      readOn: () => READ_ON,
    },
    ...changes,
  };
}
