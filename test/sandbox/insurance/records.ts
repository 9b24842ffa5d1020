/** What the stand-in remembers. Money is integer cents; moments are milliseconds since 1970. */
import type { Category, ControlClaim, Customer, NewOrder, Reference, Seller, Variant } from "./schema.ts";

export type Environment = "test" | "production";

export interface Organisation {
  name: string;
  token: string;
  stores: Store[];
}

export interface Store {
  id: string;
  /** The `store_id` (integer) of analytics. */
  number: number;
  external_id: string;
  name: string;
  tokens: Record<Environment, string>;
  /** Whether monthly contracts pay the first year's commission in advance. */
  advance: boolean;
  /** Whether a plan is refused without the customer's phone number, which the specification does not say. */
  requires_phone: boolean;
  /** Whether a list of offers, plans, claims or analytics rows with nothing in it is a 404: the specification is silent. */
  empty_is_404: boolean;
  /** The store's share of what is collected, in percent. */
  commission_percent: number;
  catalogue: Catalogue;
  records: Record<Environment, Records>;
}

export interface Catalogue {
  /** By id, which is the category's name. */
  categories: Map<string, Category>;
  /** By `reference_id`. */
  references: Map<string, Reference>;
}

/** The contracts, quotes, orders and claims of one store in one environment. */
export interface Records {
  plans: Map<string, Plan>;
  /** Plans by e-mail address as it was sent, and by order reference. */
  plansByEmail: Map<string, Plan[]>;
  plansByOrder: Map<string, Plan[]>;
  orders: Map<string, Order>;
  leads: Map<string, Lead>;
  claims: Map<string, Claim>;
}

export interface Plan {
  id: string;
  environment: Environment;
  store: Store;
  order_reference_id: string;
  reference: Reference;
  status: string;
  activated_at: number;
  expires_at: number;
  cancelled_at: number | null;
  /** Cents: the reference's price when the plan was made. */
  price: number;
  /** The insured product; its price in cents. */
  variant: Variant;
  customer: Customer;
  seller: Seller | null;
}

/** What was sent of an order last: of one that was never sent, its reference alone. */
export interface Order extends Partial<NewOrder> {
  order_reference_id: string;
  line_items: NewOrder["line_items"];
  store: Store;
  status: "recorded" | "cancelled";
  /** How often it was sent. */
  recordings: number;
  cancelled_at: number | null;
  cancellations: number;
}

export interface Lead {
  id: string;
  environment: Environment;
  store: Store;
  purchased_on: string;
  expires_at: number;
  category_id: string;
  charged_by: "merchant" | "the service";
  customer: Customer;
  variant: Variant;
  seller: Seller | null;
  /** The plan it led to; a lead is valid for one. */
  plan_id: string | null;
}

export type Claim = ControlClaim & { id: string; store: Store; environment: Environment };

export function emptyRecords(): Records {
  return {
    plans: new Map(),
    plansByEmail: new Map(),
    plansByOrder: new Map(),
    orders: new Map(),
    leads: new Map(),
    claims: new Map(),
  };
}
