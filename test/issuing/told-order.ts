/** Small orders for pure tests, by the events that their books hold. */
import { type BookEvent, type ItemKey, keyOf, type KeptEvent } from "#app/orders/book/events.ts";
import { type Order, readBook } from "#app/orders/book/evolve.ts";

export const NOW = new Date("2026-11-24T10:00:00Z");
export const PREMIUM_MINOR = 5_890;

/** A line of products: how many were sent, and whether they are shipped at all. */
export interface Goods {
  lineId: string;
  fulfilled: number;
  requiresShipping: boolean;
}

export interface Told {
  /** words: paid, cancelled, deleted, test */
  status: string;
  /** a word for each item, such as `active pending-`: see `itemWords` and `marks` */
  items: string;
  salesRecord: keyof typeof recordWords;
  goods?: readonly Goods[];
  /** the product lines that the items insure; null: it names none */
  insured?: readonly (string | null)[];
  /** what happened last */
  more?: readonly BookEvent[];
  at?: Date;
}

const sent = (item: ItemKey, outcome: "created" | "refused" | "unclear" | "doubtful"): BookEvent[] => [
  { type: "requested", item, attempt: 1 },
  {
    type: "answered",
    item,
    attempt: 1,
    outcome,
    contractId: null,
    activatesOn: null,
    expiresOn: null,
    message: "Exists",
  },
];

const contract = (item: ItemKey, status: "active" | "cancelled" | "other"): BookEvent => ({
  type: "contract",
  contractId: `CT-${item.number}`,
  item,
  status,
  statusText: status,
  referenceId: "SMA-24",
  activatesOn: null,
  expiresOn: null,
});

const created = (item: ItemKey): BookEvent[] => [...sent(item, "created"), contract(item, "active")];

/** What became of an item, in a word. */
const itemWords: Record<string, (item: ItemKey) => BookEvent[]> = {
  pending: () => [],
  /** the check of its sale found something */
  checked: () => [],
  creating: (item) => [{ type: "requested", item, attempt: 1 }],
  unknown: (item) => sent(item, "unclear"),
  active: created,
  refused: (item) => sent(item, "refused"),
  /** the insurer spoke of a contract and lists none */
  unclear: (item) => [
    ...sent(item, "doubtful"),
    { type: "looked_up", item, isConclusive: true, problem: null },
  ],
  /** the list shows a contract that is neither in force nor cancelled */
  rejected: (item) => [...sent(item, "unclear"), contract(item, "other")],
  /** a person cancels its contract */
  handed: (item) => [...created(item), { type: "handed_over", item, message: "" }],
  ended: (item) => [...created(item), contract(item, "cancelled")],
};

const decided = (item: ItemKey, answer: "end" | "premium_kept"): BookEvent => ({
  type: "decided",
  question: "",
  items: [item],
  answer,
  amountMinor: PREMIUM_MINOR,
  by: "1",
});

const marks: Record<string, (item: ItemKey) => BookEvent> = {
  /** it left the order */
  "-": (item) => ({ type: "left", item, by: "refund" }),
  /** a person ended it */
  "~": (item) => decided(item, "end"),
  /** its premium is kept */
  $: (item) => decided(item, "premium_kept"),
  "!": (item) => ({ type: "fulfilled", items: [item] }),
  "@": (item) => ({ type: "mailed", items: [item] }),
};

const recordWords = {
  none: [],
  test_order: [],
  recorded: [{ type: "sales_record", outcome: "recorded", message: null }],
  refused: [{ type: "sales_record", outcome: "refused", message: null }],
  cancelling: [
    { type: "sales_record", outcome: "recorded", message: null },
    { type: "cancellation_requested", attempt: 1 },
  ],
  cancelled: [
    { type: "sales_record", outcome: "recorded", message: null },
    { type: "cancellation_requested", attempt: 1 },
    { type: "cancellation_answered", attempt: 1, outcome: "done", message: null },
  ],
  /** the insurer refused to cancel the order */
  not_cancelled: [
    { type: "sales_record", outcome: "recorded", message: null },
    { type: "cancellation_requested", attempt: 1 },
    { type: "cancellation_answered", attempt: 1, outcome: "refused", message: null },
  ],
} as const satisfies Record<string, readonly BookEvent[]>;

const phone: Goods = { lineId: "phone", fulfilled: 0, requiresShipping: true };

export const money = (moneyMinor: number): BookEvent => ({
  type: "refund",
  refundId: `R-${moneyMinor}`,
  lines: [],
  moneyMinor,
  currency: "EUR",
  status: "settled",
  asOf: NOW,
});

/** The order that words tell. */
export function toldOrder({
  status,
  items,
  salesRecord,
  goods = [phone],
  insured,
  more = [],
  at = NOW,
}: Told): Order {
  const words = items === "" ? [] : items.split(" ");
  const insuredOf = (index: number) => {
    const lineId = insured === undefined ? "phone" : (insured[index] ?? null);
    return lineId === null
      ? null
      : { lineId, variantId: lineId, title: lineId, priceMinor: 57_900, currency: "EUR" };
  };
  const events: BookEvent[] = [
    {
      type: "placed",
      name: "#1001",
      currency: "EUR",
      isTest: salesRecord === "test_order",
      environment: "production",
      placedAt: at,
      salesChannel: "online",
      paymentMethod: "credit_card",
      language: "fr",
    },
    ...goods.flatMap(lineEvents),
    ...words.map((word, index): BookEvent => ({
      type: "sold",
      item: { lineId: "plan", number: index + 1 },
      referenceId: "SMA-24",
      planVariantId: "90001",
      planTitle: "Plan",
      termMonths: 24,
      offerPriceMinor: PREMIUM_MINOR,
      premiumMinor: PREMIUM_MINOR,
      currency: "EUR",
      insured: insuredOf(index),
      touchpoint: null,
      consent: null,
      conditionsUrl: null,
      ipidUrl: null,
      termsSha256: null,
      finding: word.startsWith("checked") ? "no_consent" : null,
      // The cover of the first item moved to it.
      replaces: word.includes(">") ? 1 : null,
    })),
    ...words.flatMap((word, index) => itemEvents(word, { lineId: "plan", number: index + 1 })),
    ...recordWords[salesRecord],
    ...(status.includes("paid") ? [{ type: "paid", asOf: at, paymentMethod: "credit_card" } as const] : []),
    ...(status.includes("cancelled") ? [{ type: "cancelled", asOf: at } as const] : []),
    ...(status.includes("deleted") ? [{ type: "deleted", asOf: at } as const] : []),
    ...more,
  ];
  return readBook(events.map((event, index): KeptEvent => ({ ...event, key: keyOf(event, index), at })));
}

function lineEvents({ lineId, fulfilled, requiresShipping }: Goods): BookEvent[] {
  return [
    {
      type: "line",
      lineId,
      kind: "product",
      pairId: lineId,
      productId: lineId,
      variantId: lineId,
      title: lineId,
      listPriceMinor: 57_900,
      paidMinor: 57_900,
      currency: "EUR",
      requiresShipping,
      isLater: false,
      categoryId: "Smartphone",
      isOffered: true,
      isSelected: true,
      offeredAt: null,
      productFormat: null,
    },
    { type: "quantity", lineId, ordered: 9, current: 9, refunded: 0, fulfilled, asOf: NOW },
  ];
}

function itemEvents(text: string, item: ItemKey): BookEvent[] {
  const [word = ""] = /^[a-z]*/.exec(text) ?? [];
  const told = itemWords[word];
  if (!told) throw new Error(`${text} is no word for an item`);
  const after = Object.entries(marks).filter(([mark]) => text.includes(mark));
  return [...told(item), ...after.map(([, event]) => event(item))];
}
