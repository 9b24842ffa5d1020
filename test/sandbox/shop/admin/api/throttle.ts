/** The leaky bucket of one app on one shop. */

/** Points a second, by plan (shopify.dev, "GraphQL Admin API rate limits"); answers of real shops show buckets of 20 seconds. */
const restoreRates: Record<string, number> = { Advanced: 200, "Shopify Plus": 1000, Enterprise: 2000 };
const bucketSeconds = 20;

export interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

export class Bucket {
  readonly restoreRate: number;
  readonly maximum: number;
  readonly #now: () => number;
  #available: number;
  #since: number;

  constructor(plan: string, now: () => number = Date.now) {
    this.restoreRate = restoreRates[plan] ?? 100;
    this.maximum = this.restoreRate * bucketSeconds;
    this.#available = this.maximum;
    this.#now = now;
    this.#since = now();
  }

  /** Takes the points out, or takes none and answers false. */
  take(points: number): boolean {
    this.#restore();
    if (points > this.#available) return false;
    this.#available -= points;
    return true;
  }

  /** The requested cost was more than the actual one. */
  giveBack(points: number): void {
    this.#available = Math.min(this.maximum, this.#available + points);
  }

  /** Leaves a number of points, for tests of throttling. */
  drainTo(points: number): void {
    this.#restore();
    this.#available = points;
  }

  status(): ThrottleStatus {
    this.#restore();
    return {
      maximumAvailable: this.maximum,
      currentlyAvailable: Math.floor(this.#available),
      restoreRate: this.restoreRate,
    };
  }

  #restore(): void {
    const now = this.#now();
    this.#available = Math.min(
      this.maximum,
      this.#available + ((now - this.#since) / 1000) * this.restoreRate,
    );
    this.#since = now;
  }
}
