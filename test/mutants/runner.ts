/**
 * Runs each test once as it is, and then again with each mutant that it reached and that no test has killed yet, in the
 * same process: the instrumented code asks at each place whether its mutant is the active one.
 */
import { TestRunner } from "vitest";
import type { RunnerTestCase, RunnerTestSuite } from "vitest";
import { writeResults } from "./results.ts";

/** What Stryker's instrumented code reads and counts. */
interface Stryker {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  /** past so many calls the code throws: a mutant that goes round for ever ends */
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

interface Found {
  reached: Set<string>;
  killed: Set<string>;
  unreliable: string[];
}

declare global {
  var __stryker__: Stryker | undefined;
  // This module is evaluated anew for each test file; what its process has found is kept.
  var parasolMutants: Found | undefined;
}

const stryker: Stryker = (globalThis.__stryker__ ??= {});
const { reached, killed, unreliable } = (globalThis.parasolMutants ??= {
  reached: new Set(),
  killed: new Set(),
  unreliable: [],
});

/** A test now and then runs without a mutant in between, to see that no mutant has broken more than its own run. */
const LOOK_AFTER = 8;

interface Turn {
  calls: Record<string, number>;
  left: string[];
  /** the mutant of this run; null for none */
  mutant: string | null;
  /** those that the test killed since it was last seen to pass by itself */
  unproven: string[];
}

type Attempt = { retry: number; repeats: number };

export default class MutantRunner extends TestRunner {
  #turn: Turn = { calls: {}, left: [], mutant: null, unproven: [] };

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    // Ended by `pending` where nothing is left to do.
    test.repeats = Number.MAX_SAFE_INTEGER;
  }

  override onBeforeTryTask(test: RunnerTestCase, attempt: Attempt): void {
    super.onBeforeTryTask(test, attempt);
    if (attempt.repeats === 0) {
      this.#turn = { calls: {}, left: [], mutant: null, unproven: [] };
      stryker.mutantCoverage ??= { static: {}, perTest: {} };
      stryker.currentTestId = test.id;
      return;
    }
    const turn = this.#turn;
    turn.mutant = turn.unproven.length < LOOK_AFTER ? (turn.left.shift() ?? null) : null;
    if (turn.mutant === null) return;
    stryker.activeMutant = turn.mutant;
    stryker.hitCount = 0;
    stryker.hitLimit = (turn.calls[turn.mutant] ?? 0) * 100 + 1_000;
  }

  override async onAfterRetryTask(test: RunnerTestCase, attempt: Attempt): Promise<void> {
    await super.onAfterRetryTask(test, attempt);
    Object.assign(stryker, { activeMutant: undefined, currentTestId: undefined, hitCount: undefined });
    const { result } = test;
    if (!result) return;
    const turn = this.#turn;
    const failed = result.state === "fail";
    if (attempt.repeats === 0) {
      turn.calls = stryker.mutantCoverage?.perTest[test.id] ?? {};
      turn.left = Object.keys(turn.calls).filter((id) => !killed.has(id));
      for (const id of Object.keys(turn.calls)) reached.add(id);
    } else if (turn.mutant === null) {
      if (!failed) for (const id of turn.unproven) killed.add(id);
      turn.unproven = [];
    } else if (failed) turn.unproven.push(turn.mutant);
    const isBroken = failed && turn.mutant === null;
    if (isBroken) unreliable.push(test.fullName);
    const pending = isBroken || (turn.left.length === 0 && turn.unproven.length === 0);
    Object.assign(result, { errors: undefined, state: "pass", pending });
    result.attempts?.splice(0);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!("filepath" in suite)) return;
    const imported = Object.keys(stryker.mutantCoverage?.static ?? {});
    writeResults({ reached: [...reached], imported, killed: [...killed], unreliable });
  }
}
