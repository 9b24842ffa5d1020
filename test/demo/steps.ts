/** A drive is a list of steps. Each step prints its result with ids and milliseconds. */
export interface Step {
  step: string;
  text: string;
  ids: Record<string, string | number | string[]>;
  ms: number;
}

/** The result of a step. */
export interface Found {
  text: string;
  ids: Step["ids"];
}

export interface DriveResult {
  steps: Step[];
  failure: { step: string; message: string } | null;
}

/** Runs the steps one after another and stops at the first failure. @param report called after each successful step */
export async function runSteps(
  steps: [name: string, run: () => Promise<Found>][],
  report: (step: Step, index: number) => void,
): Promise<DriveResult> {
  const done: Step[] = [];
  for (const [name, run] of steps) {
    const start = performance.now();
    try {
      const found = await run();
      const step = { step: name, ...found, ms: Math.round(performance.now() - start) };
      done.push(step);
      report(step, done.length - 1);
    } catch (error) {
      return {
        steps: done,
        failure: { step: name, message: error instanceof Error ? error.message : String(error) },
      };
    }
  }
  return { steps: done, failure: null };
}
