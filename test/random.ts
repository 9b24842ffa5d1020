/** A random generator that returns the same numbers for the same seed, so that a failed run can be repeated. */
export interface Random {
  /** in [0, 1) */
  next(): number;
  /** a whole number in [0, limit) */
  below(limit: number): number;
  /** a whole number from `low` to `high`, both inclusive */
  between(low: number, high: number): number;
  pick<const T>(items: readonly T[]): T;
}

/** Mulberry32: 32 bits of state are enough here. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    pick: (items) => {
      const picked = items[below(items.length)];
      if (picked === undefined) throw new Error("There is nothing to pick from");
      return picked;
    },
  };
}
