/** The app's access to orders: Shopify's approval for protected customer data. */

export const orderAccesses = [
  /** no order has shown the access yet */
  "unknown",
  /** orders with personal data (level 2) */
  "full",
  /** orders without names, addresses, phone numbers and e-mail addresses (level 1) */
  "anonymous",
  /** no orders and no webhooks about them */
  "none",
] as const;
export type OrderAccess = (typeof orderAccesses)[number];

const SHOWN_DAYS = 60;

/** The earliest order date that Shopify shows without an additional grant. */
export function shownSince(): Date {
  return new Date(Date.now() - SHOWN_DAYS * 86_400_000);
}

/** Fields that Shopify denies or leaves empty without the approval for personal data. */
export const personalFields = ["email", "phone", "billingAddress", "shippingAddress"] as const;
type PersonalFields = { [Field in (typeof personalFields)[number]]?: string | object | null };

/**
 * @param orders some recent orders; an online buyer gives at least an e-mail address or a phone number
 * @param denied names of the fields that Shopify denied
 */
export function judgeOrderAccess(
  orders: (PersonalFields & { sourceName?: string | null })[],
  denied: readonly string[],
): OrderAccess {
  if (personalFields.some((field) => denied.includes(field))) return "anonymous";
  if (orders.length === 0) return "unknown";
  const online = orders.filter(({ sourceName }) => sourceName === "web");
  const isKept = (order: PersonalFields) => personalFields.every((field) => isEmpty(order[field]));
  return online.length > 0 && online.every(isKept) ? "anonymous" : "full";
}

/** Whether all parts of an address are withheld. */
function isEmpty(value: string | object | null | undefined): boolean {
  if (value == null) return true;
  return typeof value === "object" && Object.values(value).every((part) => part === null);
}

/** The text of the request to Shopify, for Home's copy button. In English, because Shopify reads it. */
export const dataRequest = `Parasol sells product insurance. When an order with insurance is paid, it has to tell the insurer who is insured, otherwise no contract can be issued.

Protected customer data (orders): to see which order lines are insurance and which products they cover, to issue one insurance contract per insured product, and to cancel contracts when an order is cancelled, refunded or edited.

Name, address, e-mail address, phone number: the insurer's interface requires them of the insured person for each contract, and a claim is settled with them. They are sent to the insurer that the merchant has a contract with; e-mails about the contract go through the app's own mail server. They are not used for profiling or analytics. Where the merchant has turned it on, and only for buyers who agreed to marketing e-mails, a quote for what they bought without insurance is requested from the same insurer.

Protection: personal data is stored only for orders with insurance and for quotes, encrypted with a key of its own for each shop; connections use TLS; access tokens are encrypted at rest; logs hold no personal data. The merchant sets how long it is kept, and it is erased on customers/redact and shop/redact. customers/data_request is answered with the customer's data in orders, contracts, e-mails and quotes.`;
