/**
 * Verifies a webhook: the signature of the raw body, the headers, and which shop it is about.
 *
 * The signature covers only the body, and Shopify signs session tokens and launch URLs with the same secret. So an
 * attacker can have a validly signed body and write any shop and topic into the headers. But tokens and URLs are no
 * JSON objects, and the bodies of the topics about a whole shop name that shop: the name in the body counts.
 *
 * The library's `authenticate.webhook` is not used: it refreshes expired tokens first and responds 500 if Shopify
 * refuses, so uninstall webhooks would never arrive. It also accepts only one secret, so a rotation would lose
 * webhooks.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { isDeepJson } from "#app/platform/deep-json.ts";
import { env } from "#app/platform/env.server.ts";
import { isShopDomain } from "./shop-domain.ts";

/** Shopify's ids are UUIDs. */
const MAX_ID_LENGTH = 255;
const DAY_MS = 86_400_000;

const headers = z.object({
  "x-shopify-topic": z
    .string()
    .toLowerCase()
    .regex(/^[a-z_]{1,100}\/[a-z_]{1,100}$/),
  "x-shopify-shop-domain": z.string().toLowerCase().refine(isShopDomain),
  // The inbox has an index on it.
  "x-shopify-webhook-id": z.string().min(1).max(MAX_ID_LENGTH),
  "x-shopify-event-id": z.string().min(1).max(MAX_ID_LENGTH).optional(),
  "x-shopify-triggered-at": z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .refine((at) => at.getTime() > 0 && at.getTime() < Date.now() + DAY_MS)
    .optional()
    .catch(undefined),
});

export interface VerifiedWebhook {
  /** `orders/paid` */
  topic: string;
  shop: string;
  /** identifies one webhook of its shop: topic and webhook id. Retries have the same id */
  id: string;
  webhookId: string;
  /** the same for all webhooks of one action, whatever their topics: it does not identify one webhook */
  eventId: string;
  triggeredAt: Date | null;
  /** the webhook's order, for look-ups; null if there is none, or if the body has another format */
  orderId: string | null;
  /** the raw signed body */
  body: string;
}

export type WebhookVerification =
  { type: "verified"; webhook: VerifiedWebhook } | { type: "refused"; status: 400 | 401; reason: string };

/** @param requestHeaders the request's headers, with names in lower case */
export function verifyWebhook(raw: Buffer, requestHeaders: Record<string, unknown>): WebhookVerification {
  const signature = requestHeaders["x-shopify-hmac-sha256"];
  if (typeof signature !== "string" || !isSigned(raw, signature)) {
    return { type: "refused", status: 401, reason: "The signature does not fit the body" };
  }
  const parsed = headers.safeParse(requestHeaders);
  if (!parsed.success) return { type: "refused", status: 400, reason: z.prettifyError(parsed.error) };
  const topic = parsed.data["x-shopify-topic"];
  const webhookId = parsed.data["x-shopify-webhook-id"];
  const sender = parsed.data["x-shopify-shop-domain"];
  // PostgreSQL text cannot contain NUL, and valid JSON does not either.
  const body = raw.toString("utf8").replaceAll("\0", "\uFFFD");
  const payload = parseObject(body);
  const shop = payload && shopOf(topic, payload, sender);
  if (shop === null) {
    return { type: "refused", status: 401, reason: "The body is not a webhook of a shop" };
  }
  return {
    type: "verified",
    webhook: {
      topic,
      shop,
      id: webhookInboxId(topic, webhookId),
      webhookId,
      eventId: parsed.data["x-shopify-event-id"] ?? webhookId,
      triggeredAt: parsed.data["x-shopify-triggered-at"] ?? null,
      orderId: orderIdIn(topic, body),
      body,
    },
  };
}

/** An id that fits into a URL path: a topic has no dots. */
export function webhookInboxId(topic: string, webhookId: string): string {
  return `${topic.replace("/", ".")}.${webhookId}`;
}

const shopFields = z.object({ myshopify_domain: z.string().optional(), shop_domain: z.string().optional() });
type ShopFields = z.infer<typeof shopFields>;

/** The field that names the shop in the topics about a whole shop or its customers. */
const requiredField: Partial<Record<string, keyof ShopFields>> = {
  "shop/update": "myshopify_domain",
  "app/uninstalled": "myshopify_domain",
  "shop/redact": "shop_domain",
  "customers/redact": "shop_domain",
  "customers/data_request": "shop_domain",
};

function parseObject(body: string): ShopFields | null {
  if (isDeepJson(body)) return null;
  try {
    return shopFields.safeParse(JSON.parse(body)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The shop that the signed body names, else the header's. They differ where a shop has changed its myshopify.com name,
 * or where a sender put another shop's name into the header: then only the signed name counts.
 * @returns null: the body does not name the shop, although its topic requires that, or names none of Shopify's
 */
function shopOf(topic: string, payload: ShopFields, sender: string): string | null {
  const required = requiredField[topic];
  if (required !== undefined && payload[required] === undefined) return null;
  const [named, ...others] = new Set(
    [payload.myshopify_domain, payload.shop_domain].flatMap((name) => name?.toLowerCase() ?? []),
  );
  if (others.length > 0) return null;
  return named === undefined ? sender : isShopDomain(named) ? named : null;
}

const firstId = /^\s*\{\s*"id":\s*(\d{1,20})(?!\d)/;
const orderIdField = /"order_id":\s*(\d{1,20})(?!\d)/;
const orderIdPatterns: Partial<Record<string, RegExp>> = {
  "orders/paid": firstId,
  "orders/cancelled": firstId,
  "orders/fulfilled": firstId,
  "orders/partially_fulfilled": firstId,
  "orders/delete": firstId,
  "orders/edited": orderIdField,
  "refunds/create": orderIdField,
};

/** Only for look-ups, so a pattern suffices: storing a webhook must not depend on its schema. */
function orderIdIn(topic: string, body: string): string | null {
  return orderIdPatterns[topic]?.exec(body)?.[1] ?? null;
}

/** One SHA-256 in base64. Node joins repeated headers, and its base64 decoder stops silently after the first value. */
const signatureFormat = /^[A-Za-z0-9+/]{43}=$/;

function isSigned(raw: Buffer, signature: string): boolean {
  if (!signatureFormat.test(signature)) return false;
  const signatureBytes = Buffer.from(signature, "base64");
  return [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS].some((secret) => {
    if (secret === undefined) return false;
    const expected = createHmac("sha256", secret).update(raw).digest();
    return signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected);
  });
}
