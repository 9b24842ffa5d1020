/**
 * How many variants a sync may still create. The platform lets a shop of more than 50,000 variants create 1,000 a day,
 * by whatever app; it does not tell how many are left, and it refuses a call that creates more as a whole. So everything
 * is tried at first, then less and less.
 */

const PER_DAY = 1_000;

/** Fewer than so many are not worth another try today. */
const LEAST = 10;

export class VariantAllowance {
  #left = Infinity;

  get left(): number {
    return this.#left;
  }

  /** The platform created so many. */
  spend(variants: number): void {
    this.#left -= variants;
  }

  /** The platform refused to create so many at once. */
  refuse(variants: number): void {
    const next = variants > PER_DAY ? PER_DAY : Math.floor(variants / 2);
    this.#left = next < LEAST ? 0 : next;
  }
}
