/**
 * The way in for every webhook of the platform (shopify.app.toml): checks the signature, stores the event with its
 * job, answers. The worker does the work.
 *
 * A shop's flash sale sends hundreds a second, so the web server asks here before the framework sees the request
 * (app/processes/server.ts); the route `/webhooks` is the same for the development server.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { eventStore } from "./inbox-writer.server.ts";
import { knownShops } from "#app/merchants/merchant.server.ts";
import { log } from "#app/platform/log.server.ts";
import { readWebhook } from "#app/shopify/webhook.server.ts";

const storeEvent = eventStore(knownShops);

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const plain = { "content-type": "text/plain; charset=utf-8" };
const answer = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body,
  headers: { ...plain, ...headers },
});

/** @param headers the request's headers, their names in lower case */
export async function takeWebhook(raw: Buffer, headers: Record<string, unknown>): Promise<Answer> {
  const received = readWebhook(raw, headers);
  if (!received.ok) return answer(received.status, received.reason);
  const { webhook } = received;
  try {
    const stored = await storeEvent(webhook);
    // A shop whose data was deleted may still be sent a late event; there is nothing left to do for it.
    return answer(200, stored === "unknown_shop" ? "This shop does not have the app" : stored);
  } catch (error) {
    // Whatever keeps us from storing: the platform must deliver again.
    log.error({ err: error, topic: webhook.topic, shop: webhook.shop }, "webhook not stored");
    return answer(503, "Not stored, deliver again", { "retry-after": "10" });
  }
}

/** Far more than the largest order; anybody can send to this address. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The same for a request as it comes from the network. */
export async function answerWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const raw = await readBody(request);
    const { status, headers, body } =
      raw === "too_long"
        ? answer(413, "No webhook is that long", { connection: "close" })
        : await takeWebhook(raw, request.headers);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  } catch (error) {
    log.warn({ err: error }, "a webhook broke off");
    response.destroy();
  }
}

function readBody(request: IncomingMessage): Promise<Buffer | "too_long"> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) {
        request.pause();
        resolve("too_long");
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("The request ended before its body")));
  });
}
