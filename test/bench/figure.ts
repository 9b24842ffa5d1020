/** One measured figure of a benchmark. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** the goal as text, such as `at least 0.8` */
  goal: string;
  /** whether the goal is met; null: the figure has no goal */
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

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The 75th percentile. */
export const percentile75 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? NaN;

/** A part of a benchmark, by its name in BENCH_PARTS. */
export type Parts = Record<string, () => Promise<Figure[]>>;

/**
 * Runs the parts one after another; BENCH_PARTS selects some of them, separated by commas. A failed part is printed
 * before anything closes and has a row in the table; the parts after it do not run.
 */
export async function runParts(parts: Parts): Promise<Figure[]> {
  const names = process.env["BENCH_PARTS"]?.split(",") ?? Object.keys(parts);
  const figures: Figure[] = [];
  for (const name of names) {
    const part = parts[name];
    if (!part)
      throw new Error(
        `BENCH_PARTS names "${name}"; this benchmark's parts are: ${Object.keys(parts).join(", ")}`,
      );
    try {
      figures.push(...(await part()));
    } catch (error) {
      console.error(`Part ${name} failed:`, error);
      return [...figures, figure(`part ${name}`, NaN, "", "ends with figures", false)];
    }
  }
  return figures;
}

/** The exports of each benchmark file in this folder. */
export interface BenchModule {
  bench: () => Promise<Figure[]>;
}
