/**
 * How many variants a sync may still create. The platform lets a shop of more than 50,000 variants create 1,000 a day,
 * by all apps together. It does not report the remaining number, and refuses a call beyond it as a whole. So the sync
 * tries all first, then fewer and fewer.
 */

const PER_DAY = 1_000;

/** A smaller number is not worth another try today. */
const LEAST = 10;

export class VariantAllowance {
  #left = Infinity;

  get left(): number {
    return this.#left;
  }

  /** The platform created this number of variants. */
  spend(variants: number): void {
    this.#left -= variants;
  }

  /** The platform refused to create this number in one call. */
  refuse(variants: number): void {
    const next = variants > PER_DAY ? PER_DAY : Math.floor(variants / 2);
    this.#left = next < LEAST ? 0 : next;
  }
}
