/** A request that the insurer must carry out once, with a crash at every point of the machine that sends it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOnce } from "#app/insurance/ask-once.ts";
import { InsuranceError, RateLimited, Rejected, Unavailable, UnknownOutcome } from "#app/insurance/errors.ts";

/** The worker is gone. */
class Crash extends Error {
  override name = "Crash";
}

const details = { method: "POST", path: "/plans", requestId: null, attempts: 1, durationMs: 1 };
const status = (code: number | null) => ({ ...details, status: code });

/** What the insurer does with a request, and what its answer says of it. */
const answers = {
  well: { works: true, error: null },
  "answer lost": { works: true, error: () => new UnknownOutcome("connection lost", status(null)) },
  "request lost": { works: false, error: () => new UnknownOutcome("timeout", status(null)) },
  refused: { works: false, error: () => new Rejected("No", status(422)) },
  "limited, nothing done": { works: false, error: () => new RateLimited("limited", status(429)) },
  "limited, done": { works: true, error: () => new RateLimited("limited", status(429)) },
  "not sent": { works: false, error: () => new Unavailable("unreachable", "no route", status(null)) },
} as const;
type Answer = keyof typeof answers;

/** The insurer's list shows what it made after this many runs. */
const LAG = 2;

/** A database row, the insurer, and workers that die. */
class World {
  state: "pending" | "sent" | "unclear" | "made" | "refused" = "pending";
  unclearSince = 0;
  now = 0;
  readonly made: number[] = [];
  readonly canLookUp: boolean;
  constructor(canLookUp: boolean) {
    this.canLookUp = canLookUp;
  }

  /** @param crashAt the call before or after whose effect the worker dies; each call has both */
  async run(answer: Answer, crashAt: number | null): Promise<void> {
    this.now += 1;
    let point = 0;
    const call = async <T>(effect: () => T): Promise<T> => {
      if (crashAt === point++) throw new Crash();
      const result = await Promise.resolve(effect());
      if (crashAt === point++) throw new Crash();
      return result;
    };
    const move = (state: World["state"]) => {
      this.state = state;
      if (state === "unclear") this.unclearSince = this.now;
      return state;
    };
    try {
      // The process that was sending is gone.
      if (this.state === "sent") await call(() => move("unclear"));
      if (this.state === "unclear" && this.canLookUp) {
        // As the insurer's list decides (app/issuing/look-up.ts).
        const isListed = await call(() => this.made.some((at) => at + LAG <= this.now));
        if (isListed) await call(() => move("made"));
        else if (this.now >= this.unclearSince + LAG) await call(() => move("pending"));
      }
      if (this.state !== "pending") return;
      await askOnce({
        canLookUp: this.canLookUp,
        saveIntent: () => call(() => move("sent")),
        request: () =>
          call(() => {
            const { works, error } = answers[answer];
            if (works) this.made.push(this.now);
            if (error) throw error();
          }),
        saveCreated: () => call(() => move("made")),
        saveRefused: () => call(() => move("refused")),
        saveUncertain: () => call(() => move("unclear")),
        saveNotDone: () => call(() => move("pending")),
      });
    } catch (error) {
      if (!(error instanceof Crash || error instanceof InsuranceError)) throw error;
    }
  }

  /** The insurer is well, and no worker dies any more. */
  async settle(): Promise<void> {
    for (let runs = 0; runs < 2 * LAG + 2; runs++) await this.run("well", null);
  }
}

const names = Object.keys(answers) as Answer[];
const runsOf = (possible: Answer[]) =>
  fc.array(
    fc.record({
      answer: fc.constantFrom(...possible),
      crashAt: fc.option(fc.nat({ max: 7 })),
    }),
    { maxLength: 8 },
  );

describe("a request that is carried out once", () => {
  it("has been made once in the end, or refused, where the insurer lists what it made", async () => {
    await fc.assert(
      fc.asyncProperty(runsOf(names), async (runs) => {
        const world = new World(true);
        for (const { answer, crashAt } of runs) await world.run(answer, crashAt);
        await world.settle();
        expect([world.state, world.made.length]).toEqual(
          world.state === "refused" ? ["refused", 0] : ["made", 1],
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("is never made twice, and stays unclear after a crash or a lost answer, where the insurer lists nothing", async () => {
    // A refusal that comes after the work cannot be told from one that comes before it.
    const honest = names.filter((name) => name !== "limited, done");
    await fc.assert(
      fc.asyncProperty(runsOf(honest), async (runs) => {
        const world = new World(false);
        for (const { answer, crashAt } of runs) await world.run(answer, crashAt);
        await world.settle();
        expect(world.made.length).toBeLessThanOrEqual(1);
        if (world.state === "made") expect(world.made).toHaveLength(1);
        if (world.state === "refused") expect(world.made).toEqual([]);
        expect(["made", "refused", "unclear"]).toContain(world.state);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is made once for each decision of a person at most, where the insurer lists nothing", async () => {
    const honest = names.filter((name) => name !== "limited, done");
    await fc.assert(
      fc.asyncProperty(runsOf(honest), async (runs) => {
        const world = new World(false);
        let decisions = 1;
        for (const { answer, crashAt } of runs) {
          await world.run(answer, crashAt);
          // As the page of an unconfirmed quote offers it.
          if (world.state === "unclear") {
            decisions += 1;
            world.state = "pending";
          }
        }
        await world.settle();
        expect(world.made.length).toBeLessThanOrEqual(decisions);
        if (world.state === "made") expect(world.made.length).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is not sent where its intent could not be stored", async () => {
    const world = new World(true);
    await world.run("well", 0);
    expect([world.state, world.made]).toEqual(["pending", []]);
  });
});
