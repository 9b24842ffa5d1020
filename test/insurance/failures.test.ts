/** What becomes of a request that failed: counted, repeated, and said to the caller. */
import { describe, expect, it } from "vitest";
import {
  NotFound,
  RateLimited,
  Rejected,
  Unauthorised,
  Unavailable,
  UnknownOutcome,
  UnreadableResponse,
} from "#app/insurance/errors.ts";
import type { RequestDetails } from "#app/insurance/errors.ts";
import { AttemptFailed, isServerError, retryAfterMs, tripsCircuitBreaker } from "#app/insurance/failure.ts";
import type { Failure } from "#app/insurance/failure.ts";
import { retryDelayMs } from "#app/insurance/retry.ts";
import { serviceMessage } from "#app/insurance/service-message.ts";
import { toInsuranceError } from "#app/insurance/to-insurance-error.ts";

const cause = new Error("the cause");
const status = (code: number, retryAfter: number | null = null, message = ""): Failure => ({
  kind: "status",
  status: code,
  retryAfterMs: retryAfter,
  serviceMessage: message,
});
const details: RequestDetails = {
  method: "POST",
  path: "/plans",
  status: 500,
  attempts: 2,
  durationMs: 12.4,
};

describe("a failure", () => {
  it.each<[Failure, trips: boolean, read: number | null, write: number | null]>([
    [{ kind: "unreachable", cause }, true, 200, 200],
    [{ kind: "timeout" }, true, 200, null],
    [{ kind: "interrupted", cause }, true, 200, null],
    [{ kind: "invalid_json", status: 200 }, false, 200, null],
    [{ kind: "invalid_response", status: 200, reason: "", field: null }, false, null, null],
    [{ kind: "not_sent", reason: "", retryAfterMs: null }, false, null, null],
    [status(429), false, 200, null],
    [status(408), true, 200, null],
    [status(500), true, 200, null],
    [status(501), true, null, null],
    [status(503), true, 200, null],
    [status(499), false, null, null],
    [status(404), false, null, null],
  ])("%j counts as the service's trouble or not, and is repeated or not", (failure, trips, read, write) => {
    const limits = { maxDelayMs: 10_000 };
    expect(tripsCircuitBreaker(failure)).toBe(trips);
    // The longest of the jitter's range.
    expect(retryDelayMs(failure, false, 1, limits, () => 1)).toBe(read);
    expect(retryDelayMs(failure, true, 1, limits, () => 1)).toBe(write);
    expect(new AttemptFailed(failure)).toMatchObject({
      failure,
      message: failure.kind,
      name: "AttemptFailed",
    });
  });

  it("is repeated after twice the time each time, half of it by chance, and not before the service wants it", () => {
    const limits = { maxDelayMs: 5_000 };
    const delay = (failure: Failure, attempt: number, random: number) =>
      retryDelayMs(failure, false, attempt, limits, () => random);
    expect([1, 2, 3, 4].map((attempt) => delay({ kind: "timeout" }, attempt, 0))).toEqual([
      100, 200, 400, 800,
    ]);
    expect([1, 2, 3, 4].map((attempt) => delay({ kind: "timeout" }, attempt, 1))).toEqual([
      200, 400, 800, 1_600,
    ]);
    expect(delay({ kind: "timeout" }, 1, 0.5)).toBe(150);
    expect(delay({ kind: "timeout" }, 10, 1)).toBe(5_000);
    expect(delay(status(503, 1_000), 1, 1)).toBe(1_200);
    expect(delay(status(503, 5_000), 1, 1)).toBe(5_000);
    expect(delay(status(503, 5_001), 1, 1)).toBeNull();
  });

  it("is the server's from 500 on, and where the server waited too long", () => {
    expect([407, 408, 409, 499, 500, 599].map(isServerError)).toEqual([
      false,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it.each<[string | string[] | undefined, number | null]>([
    ["3", 3_000],
    [" 3 ", 3_000],
    ["0", 0],
    ["123456789", 123_456_789_000],
    ["Sat, 21 Nov 2026 10:00:05 GMT", 5_000],
    ["Sat, 21 Nov 2026 09:59:00 GMT", 0],
    ["soon", null],
    ["3 s", null],
    ["Saturday, 21-Nov-26 10:00:05 GMT", 5_000],
    // What a date parser takes for years: none of them says when.
    ["in 3", null],
    ["in 2099", null],
    ["-3", null],
    ["2026-11-21T10:00:05Z", null],
    ["see Sat, 21 Nov 2026 10:00:05 GMT", null],
    ["Sat, 21 Nov 2026 10:00:05 GMT or so", null],
    ["Sat, 99 Nov 2026 10:00:05 GMT", null],
    ["", null],
    [["3"], null],
    [undefined, null],
  ])("names the time to wait: %j", (header, expected) => {
    expect(retryAfterMs(header, Date.parse("2026-11-21T10:00:00Z"))).toBe(expected);
  });
});

describe("the caller's error", () => {
  const of = (failure: Failure, isWrite: boolean) => toInsuranceError(failure, isWrite, details);
  const sent = "(status 500, 2 attempts, 12 ms)";

  it.each<[Failure, new (...given: never[]) => Error, string]>([
    [
      { kind: "not_sent", reason: "the circuit is open", retryAfterMs: 7 },
      Unavailable,
      "the circuit is open",
    ],
    [{ kind: "unreachable", cause }, Unavailable, "the service cannot be reached"],
    [status(401), Unauthorised, "the token was not accepted"],
    [status(403), Unauthorised, "the token was not accepted"],
    [status(404), NotFound, "not found"],
    [status(410), NotFound, "not found"],
    [status(429, 9), RateLimited, "rate limited"],
    [status(302), Rejected, "refused by the service: it redirects elsewhere; is the base address right?"],
    [status(399), Rejected, "refused by the service: it redirects elsewhere; is the base address right?"],
    [status(400, null, "no price"), Rejected, "refused by the service: no price"],
    [status(422), Rejected, "refused by the service"],
  ])("is the same for reads and writes where nothing was done: %j", (failure, type, reason) => {
    for (const isWrite of [false, true]) {
      const error = of(failure, isWrite);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ name: type.name, message: `POST /plans: ${reason} ${sent}`, ...details });
    }
  });

  it.each<[Failure, string, unknown]>([
    [{ kind: "timeout" }, "no answer in time", undefined],
    [{ kind: "interrupted", cause }, "the connection broke", cause],
    [status(500), "the service failed", undefined],
    [status(408), "the service failed", undefined],
  ])("says of a write that it may have been done: %j", (failure, reason, because) => {
    const [read, write] = [of(failure, false), of(failure, true)];
    expect(read).toBeInstanceOf(Unavailable);
    expect(read).toMatchObject({ message: `POST /plans: ${reason} ${sent}`, cause: because });
    expect(write).toBeInstanceOf(UnknownOutcome);
    expect(write).toMatchObject({
      name: "UnknownOutcome",
      message: `POST /plans: ${reason}; it may have been carried out ${sent}`,
      cause: because,
    });
  });

  it.each<[Failure, string, string | null]>([
    [{ kind: "invalid_json", status: 200 }, "it is not JSON", null],
    [{ kind: "invalid_response", status: 200, reason: "no id", field: "[0].id" }, "no id", "[0].id"],
  ])("says what could not be read, and of a write that it was accepted: %j", (failure, reason, field) => {
    const [read, write] = [of(failure, false), of(failure, true)];
    const unreadable = {
      name: "UnreadableResponse",
      field,
      message: `POST /plans: unreadable answer: ${reason} ${sent}`,
    };
    expect(read).toBeInstanceOf(UnreadableResponse);
    expect(read).toMatchObject(unreadable);
    expect(write).toBeInstanceOf(UnknownOutcome);
    expect(write).toMatchObject({
      message: `POST /plans: accepted, but with an unreadable answer: ${reason} ${sent}`,
      cause: unreadable,
    });
  });

  it("carries how long to wait, the reason and the cause", () => {
    expect(of({ kind: "not_sent", reason: "", retryAfterMs: 7 }, false)).toMatchObject({ retryAfterMs: 7 });
    expect(of(status(429, 9), true)).toMatchObject({ retryAfterMs: 9 });
    expect(of(status(503, 11), false)).toMatchObject({ retryAfterMs: 11 });
    expect(of({ kind: "timeout" }, false)).toMatchObject({ retryAfterMs: null });
    expect(new Unavailable("down", details)).toMatchObject({ retryAfterMs: null, isCircuitOpen: false });
    expect(of({ kind: "unreachable", cause }, true)).toMatchObject({ retryAfterMs: null, cause });
    expect(of(status(400, null, "no price"), true)).toMatchObject({ serviceMessage: "no price" });
  });

  it("counts one attempt as one, and says where nothing came back", () => {
    const once = toInsuranceError({ kind: "timeout" }, false, {
      ...details,
      status: null,
      attempts: 1,
      durationMs: 0.6,
    });
    expect(once.message).toBe("POST /plans: no answer in time (no answer, 1 attempt, 1 ms)");
  });
});

describe("the service's message", () => {
  it.each<[string, string]>([
    ['"plain"', "plain"],
    ["not JSON, but text", "not JSON, but text"],
    ["<html>proxy</html>", ""],
    ["a > b", ""],
    ['{"message":"first","error":"second"}', "first"],
    ['{"error_description":"a"}', "a"],
    ['{"detail":"a"}', "a"],
    ['{"error":{"message":"inner"}}', "inner"],
    ['{"errors":["a","","b"]}', "a; b"],
    ['{"errors":["1","2","3","4","5","6"]}', "1; 2; 3; 4; 5"],
    ['{"title":"a"}', "a"],
    ['{"description":"a"}', "a"],
    ['{"code":"a"}', "a"],
    ['{"message":"","error":"b"}', "b"],
    ['{"errors":{"email":["is invalid"],"name":"is missing"}}', "email is invalid; name is missing"],
    ['{"errors":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}}', "a 1; b 2; c 3; d 4; e 5"],
    ['{"errors":{"a":{},"b":"2"}}', "b 2"],
    ['{"other":"a"}', ""],
    ['{"errors":{"a":{"b":{"c":"deep"}}}}', "a b c deep"],
    ['{"errors":{"a":{"b":{"c":{"d":"too deep"}}}}}', ""],
    ['[[[[["too deep"]]]]]', ""],
    ['[[[["deep"]]]]', "deep"],
    ["5", ""],
    ["null", ""],
    ['"  much \\n\\t space  "', "much space"],
  ])("of %s is %j", (body, expected) => {
    expect(serviceMessage(body, null)).toBe(expected);
  });

  it("holds nothing of the request's personal data, no e-mail address and no phone number", () => {
    const personal = { name: "Anne Martin", parts: ["Martin", " Anne ", "Al"], phone: 33 };
    expect(serviceMessage('"Anne Martin, Martin and Anne of Al"', personal)).toBe("…, … and … of Al");
    // The longest first: no part of a name is left over.
    expect(serviceMessage('"Anne Martin"', ["Anne", "Anne Martin"])).toBe("…");
    expect(serviceMessage('"Zoe Al"', ["Zoe", "Al  "])).toBe("… Al");
    expect(serviceMessage('"a.b@c.fr and <d@e.fr> call +33 6 12 34 56 78 or 12345678, not 123"', null)).toBe(
      "… and <…> call … or 12345678, not 123",
    );
    expect(serviceMessage('"call 0612345678."', null)).toBe("call ….");
  });

  it("is cut at 300 characters", () => {
    expect(serviceMessage("a".repeat(300), null)).toBe("a".repeat(300));
    expect(serviceMessage("a".repeat(301), null)).toBe(`${"a".repeat(299)}…`);
    // What follows the first 2,000 characters is not read; where it was cut, no beginning of a name is left.
    const spaced = `b${" ".repeat(1_994)}`;
    expect(serviceMessage(`${spaced}Marti`, ["Martin"])).toBe("b Marti");
    expect(serviceMessage(`${spaced}Martin`, ["Martin"])).toBe("b");
    expect(serviceMessage(`${spaced}abcdefg`, null)).toBe("b abcd");
  });
});
