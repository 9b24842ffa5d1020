/**
 * The endpoint of all webhooks (shopify.app.toml): verifies the signature, stores the event with its job and responds.
 * The worker processes it.
 *
 * A flash sale sends hundreds a second, so the web server calls this before Remix sees the request
 * (app/processes/server.ts); the route `/webhooks` does the same for the development server.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createInboxWriter } from "./inbox-writer.server.ts";
import { merchantShops } from "#app/merchants/merchant.server.ts";
import { log } from "#app/platform/log.server.ts";
import { verifyWebhook } from "#app/shopify/webhook.server.ts";

const writeToInbox = createInboxWriter(merchantShops);

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

/** @param headers the request's headers, their names in lower case */
export async function receiveWebhook(
  raw: Buffer,
  headers: Record<string, unknown>,
): Promise<WebhookResponse> {
  const verified = verifyWebhook(raw, headers);
  if (!verified.ok) return textResponse(verified.status, verified.reason);
  const { webhook } = verified;
  try {
    const result = await writeToInbox(webhook);
    // Late webhooks of an erased shop: nothing to do, and the platform must not retry them.
    return textResponse(200, result === "unknown_shop" ? "This shop does not have the app" : result);
  } catch (error) {
    // Whatever the cause, the platform must deliver it again.
    log.error({ err: error, topic: webhook.topic, shop: webhook.shop }, "webhook not stored");
    return textResponse(503, "Not stored, deliver again", { "retry-after": "10" });
  }
}

/** Far more than the largest order needs; anybody can send requests to this endpoint. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** `receiveWebhook` for Node's HTTP server. */
export async function handleWebhookRequest(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const raw = await readBody(request);
    const { status, headers, body } =
      raw === "too_long"
        ? textResponse(413, "No webhook is that long", { connection: "close" })
        : await receiveWebhook(raw, request.headers);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  } catch (error) {
    log.warn({ err: error }, "webhook request aborted");
    response.destroy();
  }
}

function readBody(request: IncomingMessage): Promise<Buffer | "too_long"> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        request.pause();
        resolve("too_long");
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("The request ended before its body")));
  });
}
