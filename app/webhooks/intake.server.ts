/**
 * The endpoint of all webhooks (shopify.app.toml): verifies the signature, stores the webhook with its job and
 * responds. The worker processes it.
 *
 * A flash sale sends hundreds per second, so the web server calls this before Remix (app/processes/server.ts). The
 * route `/webhooks` does the same in the development server.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { storeWebhook } from "#app/inbox/inbox-writer.server.ts";
import type { InboxWriteResult } from "#app/inbox/store-webhooks.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { BodyTooLarge, bodyLimits, readBytes } from "#app/platform/body.server.ts";
import { log, withLogContext } from "#app/platform/log.server.ts";
import { metrics, secondsSince } from "#app/platform/metrics.server.ts";
import { inSpan } from "#app/platform/tracing.server.ts";
import { type VerifiedWebhook, verifyWebhook } from "#app/shopify/webhook.server.ts";
import { isTopic, topics } from "./topics.ts";

type Outcome = InboxWriteResult | "forged" | "malformed" | "too_large" | "busy" | "not_stored" | "aborted";

// An alert watches their increase, which Prometheus does not see if a counter first appears with its first event.
for (const outcome of ["not_stored", "busy", "aborted"] satisfies Outcome[])
  for (const topic of topics) metrics.webhooks.inc({ outcome, topic }, 0);

/** @param topic null if no signature proves that Shopify sent it */
function count(outcome: Outcome, topic: string | null): void {
  metrics.webhooks.inc({ outcome, topic: topic !== null && isTopic(topic) ? topic : "other" });
}

export interface WebhookResponse {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const plainText = { "content-type": "text/plain; charset=utf-8" };
const textResponse = (
  status: number,
  body: string,
  headers: Record<string, string> = {},
): WebhookResponse => ({
  status,
  body,
  headers: { ...plainText, ...headers },
});

/** @param headers the request's headers, with names in lower case */
export async function receiveWebhook(
  raw: Buffer,
  headers: Record<string, unknown>,
): Promise<WebhookResponse> {
  const verified = verifyWebhook(raw, headers);
  if (verified.type === "refused") {
    count(verified.status === 401 ? "forged" : "malformed", null);
    return textResponse(verified.status, verified.reason);
  }
  const { webhook } = verified;
  const { shop, topic, orderId } = webhook;
  const requestId = randomUUID();
  const about = { shop, topic, ...(orderId === null ? {} : { orderId }) };
  // The request's trace context is ignored, because no signature covers it.
  return withLogContext({ requestId, ...about }, () =>
    inSpan(
      "POST /webhooks",
      { kind: "server", parent: { traceparent: undefined }, attributes: { requestId, ...about } },
      () => store(webhook),
    ),
  );
}

async function store(webhook: VerifiedWebhook): Promise<WebhookResponse> {
  try {
    const result = await storeWebhook(webhook);
    log.info({ state: result }, "Webhook received");
    count(result, webhook.topic);
    if (result === "stored" && webhook.triggeredAt) {
      metrics.webhookStoredLag.observe(secondsSince(webhook.triggeredAt));
    }
    // A late webhook of an erased shop: there is nothing to do, and Shopify must not retry it.
    return textResponse(200, result === "unknown_shop" ? "This shop does not have the app" : result);
  } catch (error) {
    count("not_stored", webhook.topic);
    // Whatever the cause, Shopify has to deliver it again.
    log.error({ err: error }, "Failed to store the webhook: answered 503, Shopify delivers it again");
    return textResponse(503, "Not stored, deliver again", { "retry-after": "10" });
  }
}

/** Larger bodies share a common allowance, so that many concurrent ones cannot fill the memory. */
const LARGE_BODY_BYTES = 1024 * 1024;
const MAX_LARGE_BODIES = 8;
/** Shopify's own timeout is five seconds. */
const BODY_TIMEOUT_MS = 10_000;

let largeBodies = 0;

/** Whether a request is for this endpoint, with any query or trailing slash. */
export function isWebhookRequest({ method, url = "" }: IncomingMessage): boolean {
  return method === "POST" && /^\/webhooks\/?(?:\?|$)/.test(url);
}

/** `receiveWebhook` for Node's HTTP server. */
export async function handleWebhookRequest(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const raw = await readWebhookBody(request);
    const { status, headers, body } = Buffer.isBuffer(raw) ? await receiveWebhook(raw, request.headers) : raw;
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  } catch (error) {
    count("aborted", null);
    log.warn({ err: error }, "Failed to read a webhook request: the connection ended");
    response.destroy();
  }
}

/** The body, or the response to a refused body; the connection ends after it. */
async function readWebhookBody(request: IncomingMessage): Promise<Buffer | WebhookResponse> {
  const timeout = setTimeout(() => request.destroy(), BODY_TIMEOUT_MS);
  const place: { taken: boolean } = { taken: false };
  const takePlace = (bytes: number) => {
    if (place.taken || bytes <= LARGE_BODY_BYTES) return;
    if (largeBodies >= MAX_LARGE_BODIES) throw new TooManyLargeBodies();
    place.taken = true;
    largeBodies += 1;
  };
  try {
    // The stream is not destroyed if reading ends early, because the response still has to be sent.
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    return await readBytes(chunks, bodyLimits.webhook, takePlace);
  } catch (error) {
    const close = { connection: "close" };
    if (error instanceof BodyTooLarge) {
      count("too_large", null);
      return textResponse(413, "No webhook is that long", close);
    }
    if (error instanceof TooManyLargeBodies) {
      count("busy", null);
      return textResponse(503, "Deliver again", { ...close, "retry-after": "10" });
    }
    throw error;
  } finally {
    clearTimeout(timeout);
    if (place.taken) largeBodies -= 1;
  }
}

class TooManyLargeBodies extends AppError {
  override name = "TooManyLargeBodies";
}
