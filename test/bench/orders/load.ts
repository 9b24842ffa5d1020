/** Sends webhooks: as fast as a number of connections can, or at a given rate however long the answers take. */
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "undici";

export interface Webhook {
  topic: string;
  shop: string;
  body: string;
}

export interface Loaded {
  /** answers 200 per second */
  rate: number;
  /** milliseconds of each answer, ascending */
  times: number[];
  /** answers that were not 200 */
  failed: number;
}

export class Sender {
  readonly #pool: Pool;
  readonly #secret: string;

  constructor(url: string, secret: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1 });
    this.#secret = secret;
  }

  /** @returns the status, and how long it took in milliseconds */
  async send(
    { topic, shop, body }: Webhook,
    signature = this.sign(body),
  ): Promise<{ status: number; ms: number }> {
    const started = performance.now();
    const id = randomUUID();
    const { statusCode, body: answer } = await this.#pool.request({
      path: "/webhooks",
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-shopify-topic": topic,
        "x-shopify-shop-domain": shop,
        "x-shopify-webhook-id": id,
        "x-shopify-event-id": id,
        "x-shopify-hmac-sha256": signature,
      },
    });
    await answer.dump();
    return { status: statusCode, ms: performance.now() - started };
  }

  sign(body: string): string {
    return createHmac("sha256", this.#secret).update(body).digest("base64");
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** One webhook after another on each of `connections`, for `seconds`. */
export async function flood(
  url: string,
  secret: string,
  webhook: Webhook,
  seconds: number,
  connections = 32,
): Promise<Loaded> {
  const sender = new Sender(url, secret, connections);
  const signature = sender.sign(webhook.body);
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const { status, ms } = await sender.send(webhook, signature);
        if (status === 200) times.push(ms);
        else failed += 1;
      }
    }),
  );
  const elapsed = (performance.now() - started) / 1_000;
  await sender.close();
  return { rate: times.length / elapsed, times: times.sort((a, b) => a - b), failed };
}

/**
 * `rate` webhooks a second for `seconds`; an answer's time counts from the moment the webhook was due.
 * @param webhook the next one, which was due then (milliseconds since 1970)
 */
export async function drip(
  url: string,
  secret: string,
  webhook: (each: number, dueAt: number) => Webhook,
  { seconds, rate }: { seconds: number; rate: number },
): Promise<Loaded> {
  const sender = new Sender(url, secret, 64);
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  let failed = 0;
  const started = performance.now();
  for (let each = 0; each < rate * seconds; each++) {
    const due = started + (each * 1_000) / rate;
    if (due > performance.now() + 1) await wait(due - performance.now());
    sent.push(
      sender.send(webhook(each, performance.timeOrigin + due)).then(({ status }) => {
        if (status === 200) times.push(performance.now() - due);
        else failed += 1;
      }),
    );
  }
  await Promise.all(sent);
  const elapsed = (performance.now() - started) / 1_000;
  await sender.close();
  return { rate: times.length / elapsed, times: times.sort((a, b) => a - b), failed };
}

/** The value that a share of the sorted numbers does not exceed. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
