/** Sends webhooks as Shopify does. */
import { createHmac, randomUUID } from "node:crypto";
import { Pool } from "undici";

export interface Webhook {
  topic: string;
  shop: string;
  body: string;
}

export class Sender {
  readonly #pool: Pool;
  readonly #secret: string;
  readonly #connections: number;

  constructor(url: string, secret: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1 });
    this.#secret = secret;
    this.#connections = connections;
  }

  /** @throws Error if the response is not 200 */
  async send({ topic, shop, body }: Webhook, signature = this.sign(body)): Promise<void> {
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
    if (statusCode !== 200) throw new Error(`A webhook was answered with ${statusCode}`);
  }

  /** Sends `count` webhooks over several connections, one after another on each. */
  async sendAll(count: number, webhook: (index: number) => Webhook): Promise<void> {
    let sent = 0;
    await Promise.all(
      Array.from({ length: this.#connections }, async () => {
        while (sent < count) {
          sent += 1;
          await this.send(webhook(sent));
        }
      }),
    );
  }

  sign(body: string): string {
    return createHmac("sha256", this.#secret).update(body).digest("base64");
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Sends one webhook repeatedly for `seconds`. @returns responses per second */
export async function flood(url: string, secret: string, webhook: Webhook, seconds: number): Promise<number> {
  const connections = 32;
  const sender = new Sender(url, secret, connections);
  const signature = sender.sign(webhook.body);
  let answers = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endsAt) {
        await sender.send(webhook, signature);
        answers += 1;
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  await sender.close();
  return answers / elapsed;
}

/** A percentile of the numbers. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
