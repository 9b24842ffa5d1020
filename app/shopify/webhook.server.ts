/**
 * Reads a webhook: the signature over the raw body, then the headers.
 *
 * Our own check instead of the library's `authenticate.webhook`: that one refreshes expired tokens first and answers
 * 500 where the platform refuses (so uninstalls are never seen), and it knows one secret only, so that a rotation of
 * the secret would lose webhooks.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";

const headers = z.object({
  "x-shopify-topic": z.string().min(1),
  "x-shopify-shop-domain": z.string().regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/),
  "x-shopify-webhook-id": z.string().min(1),
  // One event may be delivered several times; older deliveries carry no event id, then the delivery stands for it.
  "x-shopify-event-id": z.string().min(1).optional(),
  "x-shopify-triggered-at": z.iso.datetime({ offset: true }).optional().catch(undefined),
});

export interface Webhook {
  /** `orders/paid` */
  topic: string;
  shop: string;
  eventId: string;
  webhookId: string;
  triggeredAt: Date | null;
  /** the order that it is about, to find the event again; null where there is none, or the body does not say so */
  orderId: string | null;
  /** the raw body, exactly as it was signed */
  body: string;
}

export type WebhookVerification =
  { ok: true; webhook: Webhook } | { ok: false; status: 400 | 401; reason: string };

/** @param given the request's headers, their names in lower case */
export function verifyWebhook(raw: Buffer, given: Record<string, unknown>): WebhookVerification {
  const signature = given["x-shopify-hmac-sha256"];
  if (typeof signature !== "string" || !isSigned(raw, signature)) {
    return { ok: false, status: 401, reason: "The signature does not fit the body" };
  }
  const parsed = headers.safeParse(given);
  if (!parsed.success) return { ok: false, status: 400, reason: z.prettifyError(parsed.error) };
  const triggeredAt = parsed.data["x-shopify-triggered-at"];
  const topic = parsed.data["x-shopify-topic"].toLowerCase();
  // The database's texts hold every character but this one, which no JSON holds either.
  const body = raw.toString("utf8").replaceAll("\0", "\uFFFD");
  return {
    ok: true,
    webhook: {
      topic,
      shop: parsed.data["x-shopify-shop-domain"],
      eventId: parsed.data["x-shopify-event-id"] ?? parsed.data["x-shopify-webhook-id"],
      webhookId: parsed.data["x-shopify-webhook-id"],
      triggeredAt: triggeredAt === undefined ? null : new Date(triggeredAt),
      orderId: orderIdIn(topic, body),
      body,
    },
  };
}

const firstId = /^\s*\{\s*"id":\s*(\d+)/;
const orderIdField = /"order_id":\s*(\d+)/;
const orderIdPatterns: Partial<Record<string, RegExp>> = {
  "orders/paid": firstId,
  "orders/cancelled": firstId,
  "orders/edited": orderIdField,
  "refunds/create": orderIdField,
};

/** Not read as a whole: at the door nothing depends on what is in the body. */
function orderIdIn(topic: string, body: string): string | null {
  return orderIdPatterns[topic]?.exec(body)?.[1] ?? null;
}

function isSigned(raw: Buffer, signature: string): boolean {
  const given = Buffer.from(signature, "base64");
  return [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS].some((secret) => {
    if (secret === undefined) return false;
    const expected = createHmac("sha256", secret).update(raw).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
