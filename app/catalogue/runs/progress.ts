/** How far a run is, as a person wants to know it. */

/** The phases of the two kinds of runs, in order, with their share of the whole. */
export const phases = {
  catalogue: { start: 0, products: 5, discover: 45, read: 5, write: 35, publish: 10 },
  products: { start: 0, read: 60, write: 40 },
} as const;
export type RunKind = keyof typeof phases;

export interface RunProgress {
  kind: RunKind;
  state: string;
  phase: string;
  done: number;
  total: number;
  phaseStartedAt: Date | null;
}

/** 0 to 100. */
export function percentOf({ kind, state, phase, done, total }: RunProgress): number {
  if (state === "done") return 100;
  let before = 0;
  for (const [name, share] of Object.entries(phases[kind])) {
    if (name === phase) return Math.floor(before + share * (total === 0 ? 0 : Math.min(1, done / total)));
    before += share;
  }
  return 0;
}

/** Seconds until the phase is over, at the pace so far; null while that cannot be said. */
export function secondsLeft({ done, total, phaseStartedAt }: RunProgress, now: Date): number | null {
  if (phaseStartedAt === null || done === 0 || total === 0) return null;
  const perUnit = (now.getTime() - phaseStartedAt.getTime()) / done;
  return Math.round((perUnit * Math.max(0, total - done)) / 1_000);
}
