/**
 * An order's cover in the order's metafield `$app:cover`. The app's worker writes it (app/issuing/shop-steps.ts), this
 * extension reads it. Every person with the URL of the order's page can see it, so it holds no personal data.
 */
import { isObject, link, readMetafield, text } from "../../parts.ts";

/**
 * waiting: paid, the contract is pending. active: a contract is in force. attention: not insured yet, the shop has to
 * act. ending: in force until shop and insurer have ended it. ended: no contract, or a cancelled one.
 */
export const coverStates = ["waiting", "active", "attention", "ending", "ended"] as const;
export type CoverState = (typeof coverStates)[number];

/** One insured item. */
export interface CoverItem {
  /** the product's title; null where the plan has no product */
  product: string | null;
  /** the plan's title */
  plan: string;
  state: CoverState;
  /** the contract's number; null: no contract yet */
  contract: string | null;
  /** when the contract was created, ISO 8601 */
  since: string | null;
  /** the last day, YYYY-MM-DD */
  until: string | null;
  /** links of the general conditions and of the IPID; null: none */
  conditions: string | null;
  ipid: string | null;
}

export interface OrderCover {
  /** contracts of the insurer's test environment insure nothing */
  isTest: boolean;
  items: CoverItem[];
  /** number of insured items beyond those listed */
  more: number;
  /** where the customer may withdraw from contracts; null where they cannot */
  withdrawal: {
    url: string;
    /** the end of the withdrawal period, ISO 8601 */
    until: string;
  } | null;
  /** page with the data for a claim report; null while nothing is insured */
  claims: string | null;
  /** the app's URL, for a signed-in customer's requests */
  app: string | null;
}

function readItem(value: unknown): CoverItem[] {
  if (!isObject(value)) return [];
  const state = coverStates.find((each) => each === value.state);
  const plan = text(value.plan);
  if (state === undefined || plan === null) return [];
  return [
    {
      product: text(value.product),
      plan,
      state,
      contract: text(value.contract),
      since: text(value.since),
      until: text(value.until),
      conditions: link(value.conditions),
      ipid: link(value.ipid),
    },
  ];
}

function readWithdrawal(value: unknown): OrderCover["withdrawal"] {
  if (!isObject(value)) return null;
  const [url, until] = [link(value.url), text(value.until)];
  return url === null || until === null ? null : { url, until };
}

/** Parses the metafield leniently: unreadable parts are skipped. Null: no cover to show. */
export function readCover(value: unknown): OrderCover | null {
  const given = readMetafield(value);
  if (!Array.isArray(given?.items)) return null;
  const items = given.items.flatMap(readItem);
  if (items.length === 0) return null;
  return {
    isTest: given.isTest === true,
    items,
    more: typeof given.more === "number" ? given.more : 0,
    withdrawal: readWithdrawal(given.withdrawal),
    claims: link(given.claims),
    app: link(given.app),
  };
}
