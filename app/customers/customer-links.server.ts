/**
 * Every link that customers get, and the reading of its address. A link names an order or a quote and is signed: a forged
 * one leads nowhere. Each has its page in app/routes.
 */
import { env } from "#app/platform/env.server.ts";
import { signPart, takeSignedLink } from "#app/platform/signed-link.server.ts";
import { type Touchpoint, touchpoints } from "#app/shopify/touchpoints.ts";

/** The parameters of a route `…/$shop/$link`. */
interface LinkParams {
  shop?: string;
  link?: string;
}

// The page where customers insure what they bought without insurance.

/** @param touchpoint where the link is shown: a part of what is signed, because the quote is recorded as from there */
export function insureLink(shop: string, orderId: string, touchpoint: Touchpoint): string {
  const part = signPart("insurance links", shop, `${orderId}-${touchpoint}`);
  return `${env.SHOPIFY_APP_URL}/insure/${shop}/${part}`;
}

/** Where a buyer finds the page of their order by the token of its checkout. */
export const insureSearch = (shop: string): string => `${env.SHOPIFY_APP_URL}/insure/${shop}`;

/**
 * The order of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readInsureLink(
  params: LinkParams,
): Promise<{ shop: string; orderId: string; touchpoint: Touchpoint } | null> {
  const taken = await takeSignedLink("insurance links", params);
  const [, orderId, name] = /^(\d+)-(\w+)$/.exec(taken?.id ?? "") ?? [];
  const touchpoint = touchpoints.find((each) => each === name);
  return taken && orderId !== undefined && touchpoint ? { shop: taken.shop, orderId, touchpoint } : null;
}

// The insurer's page of a quote: the app's own link ends with its order, and its opening is counted.

/** @param linkId of an OrderQuote */
export function quoteLink(shop: string, linkId: string): string {
  return `${env.SHOPIFY_APP_URL}/quotes/${shop}/${signPart("quote links", shop, linkId)}`;
}

/**
 * The shop and quote of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readQuoteLink(params: LinkParams): Promise<{ shop: string; linkId: string } | null> {
  const taken = await takeSignedLink("quote links", params);
  return taken && { shop: taken.shop, linkId: taken.id };
}

// An order's page of withdrawal. Everybody who sees the order's page has the link, guests too: it names no person.

export function withdrawalLink(shop: string, orderId: string): string {
  return `${env.SHOPIFY_APP_URL}/withdrawals/${shop}/${signPart("withdrawal links", shop, orderId)}`;
}

/** Where the thank-you page reads whether the contract exists. */
export const coverOfCheckout = (shop: string): string => `${env.SHOPIFY_APP_URL}/covers/${shop}`;

/** The page where a shop's customers find their order's. */
export const withdrawalSearch = (shop: string): string => `${env.SHOPIFY_APP_URL}/withdrawals/${shop}`;

/**
 * The shop and order of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readWithdrawalLink(
  params: LinkParams,
): Promise<{ shop: string; orderId: string } | null> {
  const taken = await takeSignedLink("withdrawal links", params);
  return taken && { shop: taken.shop, orderId: taken.id };
}

// An order's page of claims, which everybody sees who sees the order's page.

export function claimLink(shop: string, orderId: string): string {
  return `${env.SHOPIFY_APP_URL}/claims/${shop}/${signPart("claim links", shop, orderId)}`;
}

/**
 * The shop and order of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readClaimLink(params: LinkParams): Promise<{ shop: string; orderId: string } | null> {
  const taken = await takeSignedLink("claim links", params);
  return taken && { shop: taken.shop, orderId: taken.id };
}

// The page by which a draft order's customer chooses and confirms.

/** The days in which a customer can use their link, the day on which it was made not counted. */
const LINK_DAYS = 7;

/**
 * A link that anybody who has it can use, until its day is over. Staff get a new one on each day on which they look; older
 * ones stay valid until their own day, because a look must not break the link that the customer already has.
 */
export function draftLink(shop: string, draftOrderId: string): { link: string; until: string } {
  const until = new Date(Date.now() + LINK_DAYS * 86_400_000).toISOString().slice(0, 10);
  const part = signPart("draft order links", shop, `${draftOrderId}-${until.replaceAll("-", "")}`);
  return { link: `${env.SHOPIFY_APP_URL}/sales/${shop}/${part}`, until };
}

export interface DraftLink {
  shop: string;
  draftOrderId: string;
  /** YYYY-MM-DD, the last day */
  until: string;
  isExpired: boolean;
}

/**
 * The draft order of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readDraftLink(params: LinkParams): Promise<DraftLink | null> {
  const taken = await takeSignedLink("draft order links", params);
  const [, draftOrderId, year, month, day] = /^(\d+)-(\d{4})(\d{2})(\d{2})$/.exec(taken?.id ?? "") ?? [];
  if (!taken || draftOrderId === undefined) return null;
  const until = `${year ?? ""}-${month ?? ""}-${day ?? ""}`;
  const isExpired = new Date().toISOString().slice(0, 10) > until;
  return { shop: taken.shop, draftOrderId, until, isExpired };
}
