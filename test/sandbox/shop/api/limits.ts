/** Shopify's limits for an app on one shop: the bucket of query cost, and the daily limit of new variants. */
import type { ShopState } from "../state.ts";

/** Points a second, by plan (shopify.dev, "GraphQL Admin API rate limits"); answers of real shops show buckets of 20 seconds. */
const restoreRates: Record<string, number> = { Advanced: 200, "Shopify Plus": 1000, Enterprise: 2000 };
const BUCKET_SECONDS = 20;

export interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

/** A leaky bucket of points. */
export class Bucket {
  readonly #restoreRate: number;
  readonly #maximum: number;
  readonly #now: () => number;
  #available: number;
  #since: number;

  constructor(plan: string, now: () => number = Date.now) {
    this.#restoreRate = restoreRates[plan] ?? 100;
    this.#maximum = this.#restoreRate * BUCKET_SECONDS;
    this.#available = this.#maximum;
    this.#now = now;
    this.#since = now();
  }

  /** Takes the points, or takes none and returns false. */
  take(points: number): boolean {
    this.#restore();
    if (points > this.#available) return false;
    this.#available -= points;
    return true;
  }

  /** Returns the points by which the requested cost exceeded the actual one. */
  giveBack(points: number): void {
    this.#available = Math.min(this.#maximum, this.#available + points);
  }

  /** Sets the number of available points, for tests of throttling. */
  drainTo(points: number): void {
    this.#restore();
    this.#available = points;
  }

  status(): ThrottleStatus {
    this.#restore();
    return {
      maximumAvailable: this.#maximum,
      currentlyAvailable: Math.floor(this.#available),
      restoreRate: this.#restoreRate,
    };
  }

  #restore(): void {
    const now = this.#now();
    const restored = ((now - this.#since) / 1000) * this.#restoreRate;
    this.#available = Math.min(this.#maximum, this.#available + restored);
    this.#since = now;
  }
}

const DAY_MS = 24 * 3_600_000;
/** Plans without a limit of new variants. */
const unlimited = ["Shopify Plus", "Enterprise"];

/** A shop of many variants has a daily limit of new ones. */
export class VariantThrottle {
  /** The limit holds from this number of variants on; tests set it lower. */
  from = 50_000;
  perDay = 1_000;
  readonly #state: ShopState;
  #created: { at: number; variants: number }[] = [];

  constructor(state: ShopState) {
    this.#state = state;
  }

  /** Records a number of new variants, or refuses all of them. */
  take(variants: number): boolean {
    if (variants === 0 || unlimited.includes(this.#state.plan)) return true;
    if (this.#state.variantProducts.size + variants <= this.from) return true;
    this.#created = this.#created.filter(({ at }) => at > Date.now() - DAY_MS);
    const today = this.#created.reduce((sum, each) => sum + each.variants, 0);
    if (today + variants > this.perDay) return false;
    this.#created.push({ at: Date.now(), variants });
    return true;
  }

  /** Resets the count, as if the variants were created more than a day ago. */
  nextDay(): void {
    this.#created = [];
  }
}
