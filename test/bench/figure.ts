/** One measured figure of a benchmark. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** the goal in words, such as `at least 0.8` */
  goal: string;
  /** whether the goal holds; null where the figure has none */
  holds: boolean | null;
}

export const figure = (
  name: string,
  value: number,
  unit: string,
  goal = "",
  holds: boolean | null = null,
): Figure => ({ name, value, unit, goal, holds });

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The smallest value that three quarters of the values do not exceed. */
export const percentile75 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? NaN;

/** What each file in this folder that is a benchmark exports. */
export interface BenchModule {
  bench: () => Promise<Figure[]>;
}
