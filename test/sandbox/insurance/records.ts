/** What the stand-in remembers. Money is integer cents; moments are milliseconds since 1970. */
import type { Category, ControlClaim, Customer, Seller } from "./schema.ts";

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

/** One reference of a store's catalogue: category, term and price band. */
export interface Reference {
  reference_id: string;
  contract_id: string;
  category_id: string;
  title: string;
  /** Months. */
  term: number;
  /** Cents. */
  price: number;
  currency_code: string;
  /** Cents, both inclusive. */
  price_band_min: number;
  price_band_max: number;
  billing: "monthly" | "annually";
  /** Offered for these products only, where it takes the place of the general offer of the same term; null: for all. */
  product_reference_ids: string[] | null;
}

/** The contracts, quotes, orders and claims of one store in one environment. */
export interface Records {
  plans: Map<string, Plan>;
  /** Plans by lower-case e-mail address, and by order reference. */
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
  origin: "api" | "lead" | "seed";
  order_reference_id: string;
  reference: Reference;
  status: string;
  activated_at: number;
  expires_at: number;
  cancelled_at: number | null;
  /** Cents: the reference's price when the plan was made. */
  price: number;
  variant: Variant;
  customer: Customer;
  seller: Seller | null;
}

/** The insured product; its price in cents. */
export interface Variant {
  reference_id: string;
  title: string;
  price: number;
  currency_code: string;
}

export interface Order {
  order_reference_id: string;
  environment: Environment;
  store: Store;
  status: "recorded" | "cancelled";
  recorded_at: number;
  /** How often it was sent. */
  recordings: number;
  cancelled_at: number | null;
  cancellations: number;
  purchased_at: string | null;
  payment_method: string | null;
  sales_channel: string | null;
  line_items: OrderLine[];
}

export interface OrderLine {
  reference_id: string;
  price: number;
  currency_code: string;
  category_id: string;
  insurance_offered: boolean;
  insurance_selected: boolean;
}

export interface Lead {
  id: string;
  environment: Environment;
  store: Store;
  created_at: number;
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
