/**
 * Delivers a shop's events to the app: to each subscription of shopify.app.toml, at least once, signed, with a timeout
 * of five seconds and eight retries. Settings make the delivery unreliable on purpose.
 */
import { createHmac, randomUUID } from "node:crypto";
import type { AppConfiguration } from "../app-configuration.ts";
import { onShopEvent } from "../events.ts";
import type { ShopEvent, Topic } from "../events.ts";
import type { ShopState } from "../state.ts";
import { webhookPayload } from "./payloads.ts";
import type { Json } from "./rest.ts";

export interface WebhookBehaviour {
  /**
   * Additional deliveries of each webhook. They alternate: the first has the same webhook id, as a retry does, the
   * second a new one.
   */
  duplicates: number;
  /** The share of lost events, 0 to 1, in a fixed pseudo-random order. */
  dropShare: number;
  /** Events wait until there are this many, then leave in reverse order; 0: at once, in order. */
  disorder: number;
  /** Milliseconds before the first attempt. */
  delayMs: number;
  /** Milliseconds before each retry: eight over four hours on Shopify. */
  retryScheduleMs: number[];
  /** Approved for customers' names, addresses, phones and e-mails (level 2). */
  protectedCustomerData: boolean;
  /** Approved for orders (level 1). Without it, topics about orders cannot be subscribed. */
  approvedForOrders: boolean;
  /** The Admin API's behaviour for a personal field without approval: refuse it, or leave it empty. */
  withheldAs: "error" | "null";
  /** The format of order lines' properties. */
  propertiesAs: "list" | "object";
  /** An ordered product counts as changed, as on Shopify: each order then sends a product webhook per product. */
  productsOfOrders: boolean;
}

/** The app's response timeout. */
const TIMEOUT_MS = 5_000;

/** The retry of a late response arrives while its test still waits. */
export const soonAgain = Array.from({ length: 8 }, () => 2_000);

/** Eight retries over four hours. */
const platformSchedule = [10, 60, 300, 900, 1800, 3000, 3600, 4730].map((seconds) => seconds * 1000);

export interface Delivery {
  webhookId: string;
  eventId: string;
  topic: Topic;
  url: string;
  triggeredAt: string;
  headers: Record<string, string>;
  body: string;
  attempts: { at: string; status: number | null; ms: number; error: string | null }[];
  state: "waiting" | "delivered" | "failed" | "dropped";
}

export interface WebhookTarget {
  state: ShopState;
  app: AppConfiguration;
  apiSecret: string;
  /** Null until the app's URL is known: deliveries wait. */
  appUrl: () => string | null;
}

/** How long Shopify treats two equal webhooks as one; Shopify does not publish the value. */
const DEBOUNCE_MS = 1_000;

export class Webhooks {
  readonly #target: WebhookTarget;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #held: (() => void)[] = [];
  readonly #waiters = new Set<() => void>();
  /** the event id of what happens in this tick: one action, whatever its topics and however many orders */
  #action: string | null = null;
  #random = 42;
  /** when webhooks of chosen fields were sent last */
  readonly #sent = new Map<string, number>();
  #closed = false;
  readonly behaviour: WebhookBehaviour;
  /** All deliveries, oldest first. */
  readonly log: Delivery[] = [];

  constructor(target: WebhookTarget, knobs: Partial<WebhookBehaviour> = {}) {
    this.#target = target;
    this.behaviour = {
      duplicates: 0,
      dropShare: 0,
      disorder: 0,
      delayMs: 0,
      retryScheduleMs: platformSchedule,
      protectedCustomerData: true,
      approvedForOrders: true,
      withheldAs: "error",
      propertiesAs: "list",
      productsOfOrders: false,
      ...knobs,
    };
    onShopEvent(target.state, (event) => this.#onEvent(event));
  }

  /** Resolves once no delivery waits for its first attempt or a retry. */
  async settled(): Promise<void> {
    while (this.log.some(({ state }) => state === "waiting"))
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  /** Sends the events that `disorder` holds back. */
  release(): void {
    for (const send of this.#held.splice(0).reverse()) send();
  }

  /** Restarts the seeded choice of lost events. */
  reseed(seed: number): void {
    this.#random = seed % 2_147_483_648;
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #onEvent(event: ShopEvent): void {
    const { state, app } = this.#target;
    // Without the installation, the app receives only its uninstallation and the mandatory privacy topics.
    const always =
      event.topic === "app/uninstalled" ||
      ["customers/data_request", "customers/redact", "shop/redact"].includes(event.topic);
    if (state.installation === null && !always) return;
    if (!this.behaviour.approvedForOrders && /^(orders|refunds)\//.test(event.topic)) return;
    if ("isOrdered" in event && !this.behaviour.productsOfOrders) return;
    const triggeredAt = new Date().toISOString();
    const eventId = this.#actionId();
    for (const { uri, includeFields } of app.webhooks.filter(({ topic }) => topic === event.topic)) {
      const full = webhookPayload(state, event, this.behaviour);
      const body = JSON.stringify(includeFields === null ? full : chosenFields(full, includeFields));
      if (includeFields !== null && this.#isRepeated(event.topic, uri, body)) continue;
      let webhookId = "";
      const dropped = this.#nextRandom() < this.behaviour.dropShare;
      for (let copy = 0; copy <= this.behaviour.duplicates; copy += 1) {
        if (copy % 2 === 0) webhookId = randomUUID();
        const delivery = this.#delivery(event.topic, uri, body, { webhookId, eventId, triggeredAt });
        this.log.push(delivery);
        if (dropped) {
          delivery.state = "dropped";
          continue;
        }
        this.#hold(() => this.#later(this.behaviour.delayMs, () => this.#attempt(delivery)));
      }
    }
  }

  /** Shopify drops a webhook with selected fields if it equals a recent one. */
  #isRepeated(topic: Topic, uri: string, body: string): boolean {
    const now = performance.now();
    for (const [sent, at] of this.#sent) if (now - at > DEBOUNCE_MS) this.#sent.delete(sent);
    const key = `${topic} ${uri} ${body}`;
    const isRepeated = this.#sent.has(key);
    this.#sent.set(key, now);
    return isRepeated;
  }

  #actionId(): string {
    if (this.#action === null) {
      this.#action = randomUUID();
      queueMicrotask(() => (this.#action = null));
    }
    return this.#action;
  }

  #delivery(
    topic: Topic,
    uri: string,
    body: string,
    { webhookId, eventId, triggeredAt }: Pick<Delivery, "webhookId" | "eventId" | "triggeredAt">,
  ): Delivery {
    const { state, app, apiSecret } = this.#target;
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "Shopify-Captain-Hook",
      "X-Shopify-Topic": topic,
      "X-Shopify-Hmac-Sha256": createHmac("sha256", apiSecret).update(body, "utf8").digest("base64"),
      "X-Shopify-Shop-Domain": state.domain,
      "X-Shopify-API-Version": app.apiVersion,
      "X-Shopify-Webhook-Id": webhookId,
      "X-Shopify-Event-Id": eventId,
      "X-Shopify-Triggered-At": triggeredAt,
      ...(topic.startsWith("orders/") && topic !== "orders/edited"
        ? { "X-Shopify-Order-Id": /"id":(\d+)/.exec(body)?.[1] ?? "", "X-Shopify-Test": "true" }
        : {}),
    };
    return {
      webhookId,
      eventId,
      topic,
      url: uri,
      triggeredAt,
      headers,
      body,
      attempts: [],
      state: "waiting",
    };
  }

  #hold(send: () => void): void {
    if (this.behaviour.disorder === 0) {
      send();
      return;
    }
    this.#held.push(send);
    if (this.#held.length >= this.behaviour.disorder) this.release();
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const base = this.#target.appUrl();
    if (base === null) {
      this.#later(50, () => this.#attempt(delivery));
      return;
    }
    const url = new URL(delivery.url, `${base}/`).toString();
    const started = performance.now();
    const at = new Date().toISOString();
    let status: number | null = null;
    let error: string | null = null;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: delivery.headers,
        body: delivery.body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.arrayBuffer();
      status = response.status;
    } catch (problem) {
      // A refused connection or a late response is a failed attempt: it is logged and retried.
      error = problem instanceof Error ? `${problem.name}: ${problem.message}` : "failed";
    }
    delivery.url = url;
    delivery.attempts.push({ at, status, ms: Math.round(performance.now() - started), error });
    const retryAfter = this.behaviour.retryScheduleMs[delivery.attempts.length - 1];
    if (status !== null && status >= 200 && status < 300) delivery.state = "delivered";
    else if (retryAfter === undefined || this.#closed) delivery.state = "failed";
    else {
      this.#later(retryAfter, () => this.#attempt(delivery));
      return;
    }
    for (const wake of this.#waiters) wake();
    this.#waiters.clear();
  }

  #later(ms: number, work: () => Promise<void>): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work();
    }, ms);
    this.#timers.add(timer);
  }

  /** The same sequence of numbers in every run. */
  #nextRandom(): number {
    this.#random = (this.#random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return this.#random / 2_147_483_648;
  }
}

/** `include_fields` of shopify.app.toml: field names, with a dot for fields of nested objects and of list entries. */
function chosenFields(full: Json, fields: readonly string[]): Json {
  const chosen: Json = {};
  for (const [name, value] of Object.entries(full)) {
    const nested = fields
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => field.slice(name.length + 1));
    if (fields.includes(name)) chosen[name] = value;
    else if (nested.length > 0) chosen[name] = chosenOf(value, nested);
  }
  return chosen;
}

function chosenOf(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => chosenOf(each, fields));
  return typeof value === "object" && value !== null ? chosenFields({ ...value }, fields) : value;
}
