/** When a failed request is sent again, and how long it waits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "#app/insurance/failure.ts";
import { retryDelayMs } from "#app/insurance/retry.ts";

describe("the retry policy", () => {
  const anyFailure: fc.Arbitrary<Failure> = fc.oneof(
    fc.record({ kind: fc.constant("unreachable" as const), cause: fc.constant(null) }),
    fc.record({
      kind: fc.constant("not_sent" as const),
      reason: fc.string(),
      retryAfterMs: fc.constant(null),
    }),
    fc.record({ kind: fc.constant("timeout" as const) }),
    fc.record({ kind: fc.constant("interrupted" as const), cause: fc.constant(null) }),
    fc.record({ kind: fc.constant("invalid_json" as const), status: fc.constant(200) }),
    fc.record({
      kind: fc.constant("invalid_response" as const),
      status: fc.constant(200),
      reason: fc.string(),
      field: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant("status" as const),
      status: fc.integer({ min: 300, max: 599 }),
      retryAfterMs: fc.option(fc.nat({ max: 20_000 })),
      serviceMessage: fc.string(),
    }),
  );
  const anyAttempt = fc.integer({ min: 1, max: 20 });
  const limits = { maxDelayMs: 5000 };

  it("repeats a write only when it did not arrive", () => {
    fc.assert(
      fc.property(anyFailure, anyAttempt, (failure, attempt) => {
        const wait = retryDelayMs(failure, true, attempt, limits);
        if (failure.kind !== "unreachable") expect(wait).toBeNull();
      }),
    );
  });

  it("never waits longer than its limit, nor shorter than the service's Retry-After", () => {
    fc.assert(
      fc.property(anyFailure, fc.boolean(), anyAttempt, (failure, write, attempt) => {
        const wait = retryDelayMs(failure, write, attempt, limits);
        if (wait === null) return;
        expect(wait).toBeLessThanOrEqual(limits.maxDelayMs);
        if (failure.kind === "status") expect(wait).toBeGreaterThanOrEqual(failure.retryAfterMs ?? 0);
      }),
    );
  });

  it("waits longer each time, with half of the wait up to chance", () => {
    const failure: Failure = { kind: "timeout" };
    const waits = (random: number) =>
      [1, 2, 3].map((attempt) => retryDelayMs(failure, false, attempt, limits, () => random));
    expect(waits(0)).toEqual([100, 200, 400]);
    expect(waits(0.5)).toEqual([150, 300, 600]);
  });
});
