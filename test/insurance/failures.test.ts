/** What becomes of a request that failed: repeated or not, and what the caller learns. */
import fc from "fast-check";
import { MockAgent } from "undici";
import { describe, expect, it } from "vitest";
import { insuranceClient } from "#app/insurance/client.ts";
import { Unavailable, UnknownOutcome, UnreadableResponse } from "#app/insurance/errors.ts";
import type { InsuranceError, RequestDetails } from "#app/insurance/errors.ts";
import { retryAfterMs, retryDelayMs } from "#app/insurance/request.ts";
import { insurerMessage } from "#app/insurance/error-message.ts";
import { errorOf, newPlan } from "./setup.ts";

const details: RequestDetails = {
  method: "GET",
  path: "/plans",
  status: null,
  requestId: null,
  attempts: 1,
  durationMs: 12.4,
};
const unavailable = (code: Unavailable["code"], status: number | null = null, retryAfter?: number) =>
  new Unavailable(code, "down", { ...details, status }, { retryAfterMs: retryAfter ?? null });
const unreadable = (code: UnreadableResponse["code"]) =>
  new UnreadableResponse(code, "odd", null, { ...details, status: 200 });

describe("the retry policy", () => {
  const limits = { attempts: 20, maxRetryDelayMs: 5_000 };

  it.each([unavailable("too_many_waiting"), unreadable("too_large")])(
    "repeats nothing that would end the same: %s",
    (error) => {
      expect(retryDelayMs(error, false, 1, limits)).toBeNull();
    },
  );

  it("waits twice as long each time, half of it by chance, and not less than the insurer wants", () => {
    const delay = (error: InsuranceError, attempt: number, random: number) =>
      retryDelayMs(error, false, attempt, limits, () => random);
    const noAnswer = unavailable("no_answer");
    expect([1, 2, 3, 4].map((attempt) => delay(noAnswer, attempt, 0))).toEqual([100, 200, 400, 800]);
    expect([1, 2, 3, 4].map((attempt) => delay(noAnswer, attempt, 1))).toEqual([200, 400, 800, 1_600]);
    expect(delay(noAnswer, 1, 0.5)).toBe(150);
    expect(delay(noAnswer, 10, 1)).toBe(5_000);
    expect(delay(unavailable("server_error", 503, 1_000), 1, 1)).toBe(1_200);
    expect(delay(unavailable("server_error", 503, 5_000), 1, 1)).toBe(5_000);
    expect(delay(unavailable("server_error", 503, 5_001), 1, 1)).toBeNull();
  });

  it("ends at the limit of attempts, by default three, and never waits longer than its limit", () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(unavailable("no_answer"), false, attempt, {}))).toEqual([
      expect.any(Number),
      expect.any(Number),
      null,
    ]);
    const codes = fc.constantFrom("unreachable" as const, "no_answer" as const, "server_error" as const);
    const wanted = fc.nat({ max: 20_000 });
    fc.assert(
      fc.property(
        codes,
        wanted,
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        (code, ms, isWrite, attempt) => {
          const delay = retryDelayMs(unavailable(code, 503, ms), isWrite, attempt, limits);
          if (attempt >= limits.attempts || (isWrite && code !== "unreachable")) expect(delay).toBeNull();
          if (delay === null) return;
          expect(delay).toBeLessThanOrEqual(limits.maxRetryDelayMs);
          expect(delay).toBeGreaterThanOrEqual(ms);
        },
      ),
    );
  });
});

describe("the time that the insurer wants us to wait", () => {
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
  ])("is read from its header: %j", (header, expected) => {
    expect(retryAfterMs(header, Date.parse("2026-11-21T10:00:00Z"))).toBe(expected);
  });
});

describe("the caller's error", () => {
  interface Answer {
    status: number;
    body?: string;
    headers?: Record<string, string>;
  }

  /** What a read and a write throw when the insurer answers everything like this. */
  async function errorsAt({ status, body = "", headers = {} }: Answer) {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    const baseUrl = "https://service.example";
    dispatcher
      .get(baseUrl)
      .intercept({ path: /.*/, method: /.*/ })
      .reply(status, body, { headers })
      .persist();
    const account = { baseUrl, storeId: "s", token: "secret-token", key: `errors ${Math.random()}` };
    const client = insuranceClient(account, { dispatcher, attempts: 1 });
    return [await errorOf(client.categories.list()), await errorOf(client.plans.create(newPlan()))] as const;
  }

  it.each([
    [401, "the token was not accepted"],
    [404, "not found"],
    [429, "rate limited"],
    [302, "it redirects to another address; check the base address"],
    [400, "refused by the insurer: no price"],
    [500, "the insurer failed"],
  ])("says what happened, to which request, and how often it was sent: %s", async (status, reason) => {
    const [ofRead, ofWrite] = await errorsAt({ status, body: '{"message":"no price"}' });
    expect(String(ofRead)).toContain(`${reason} (status ${status}, 1 attempt, `);
    expect(String(ofRead)).toContain("GET /api/v2/store/s/categories");
    const maybe = status === 500 ? "; it may have been carried out" : "";
    expect(String(ofWrite)).toContain(`${reason}${maybe} (status ${status}, 1 attempt, `);
    expect(String(ofWrite)).toContain("POST /api/v2/store/s/plans");
  });

  it.each([
    ["{", "not_json", null, "it is not JSON"],
    ["5", "unexpected", null, "no list of categories in it"],
  ])(
    "says what could not be read, and of a write that it was accepted: %s",
    async (body, code, field, reason) => {
      const [ofRead, ofWrite] = await errorsAt({ status: 200, body });
      expect(ofRead).toBeInstanceOf(UnreadableResponse);
      expect(ofRead).toMatchObject({ code, field });
      expect(String(ofRead)).toContain("unreadable answer: ");
      expect(String(ofRead)).toContain(reason);
      expect(ofWrite).toBeInstanceOf(UnknownOutcome);
      expect(String(ofWrite)).toContain("accepted, but with an unreadable answer: ");
      expect(ofWrite).toMatchObject({ cause: { name: "UnreadableResponse", code } });
    },
  );

  it("carries the request's id where the insurer names it, and never the token", async () => {
    for (const header of ["x-request-id", "request-id"]) {
      const [error] = await errorsAt({ status: 500, headers: { [header]: "req-7.f" } });
      expect(error).toMatchObject({ requestId: "req-7.f" });
      expect(String(error)).toContain("(status 500, request req-7.f, 1 attempt, ");
    }
    for (const id of ["a b", "x".repeat(101), "my-secret-token", "a@b.example"]) {
      const [error] = await errorsAt({ status: 500, headers: { "x-request-id": id } });
      expect(error).toMatchObject({ requestId: null });
    }
  });

  it("carries how long to wait and the insurer's message", async () => {
    const headers = { "retry-after": "9" };
    expect((await errorsAt({ status: 429, headers }))[1]).toMatchObject({ retryAfterMs: 9_000 });
    expect((await errorsAt({ status: 503, headers }))[0]).toMatchObject({ retryAfterMs: 9_000 });
    expect((await errorsAt({ status: 422, body: '"no price"' }))[1]).toMatchObject({
      insurerMessage: "no price",
    });
  });
});

describe("the insurer's message", () => {
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
    [
      '{"title":"Invalid","violations":[{"propertyPath":"customer.email","message":"n\'est pas valide"}]}',
      "customer.email: n'est pas valide",
    ],
    ['{"errors":[{"field":"zip_code","message":"can\'t be blank"}]}', "zip_code: can't be blank"],
    [
      '{"errors":[{"detail":"too short","source":{"pointer":"/data/attributes/zip_code"}}]}',
      "zip_code: too short",
    ],
    ['{"title":"t","invalid-params":[{"name":"city","reason":"fehlt"}]}', "city: fehlt"],
    ['{"reason":"no such offer"}', "no such offer"],
    ['{"description":"a"}', "a"],
    ['{"code":"a"}', "a"],
    ['{"message":"","error":"b"}', "b"],
    ['{"errors":{"email":["is invalid"],"name":"is missing"}}', "email: is invalid; name: is missing"],
    ['{"errors":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}}', "a: 1; b: 2; c: 3; d: 4; e: 5"],
    ['{"errors":{"a":{},"b":"2"}}', "b: 2"],
    ['{"other":"a"}', ""],
    ['{"errors":{"a":{"b":{"c":"deep"}}}}', "a.b.c: deep"],
    ['{"errors":{"a":{"b":{"c":{"d":{"e":"too deep"}}}}}}', ""],
    ['[[[[[["too deep"]]]]]]', ""],
    ['[[[["deep"]]]]', "deep"],
    // Laravel, Django, FastAPI, Spring, ASP.NET, API Platform, RFC 9457, JSON Schema, NestJS.
    [
      '{"message":"Invalid.","errors":{"customer.email":["n\'est pas valide"]}}',
      "customer.email: n'est pas valide",
    ],
    ['{"email":["Saisissez une adresse valide."]}', "email: Saisissez une adresse valide."],
    ['{"customer":{"address":{"zip_code":["fehlt"]}}}', "customer.address.zip_code: fehlt"],
    [
      '{"detail":[{"loc":["body","customer","zip_code"],"msg":"field required","type":"missing"}]}',
      "customer.zip_code: field required",
    ],
    [
      '{"status":400,"error":"Bad Request","errors":[{"field":"phone","defaultMessage":"ungültig","code":"x"}]}',
      "phone: ungültig",
    ],
    [
      '{"type":"t","title":"Bad.","status":400,"errors":{"Customer.Email":["is odd"]}}',
      "Customer.Email: is odd",
    ],
    [
      '{"detail":"Bad.","errors":[{"detail":"must be set","pointer":"#/customer/city"}]}',
      "customer.city: must be set",
    ],
    ['{"errors":[{"instancePath":"/customer/phone","message":"must match"}]}', "customer.phone: must match"],
    ['{"message":["customer.phone must be set"],"error":"Bad Request"}', "customer.phone must be set"],
    ['{"message":"No price","errors":[{"code":"x"}]}', "No price"],
    ['{"status":"422","id":"x"}', ""],
    ["5", ""],
    ["null", ""],
    ['"  much \\n\\t space  "', "much space"],
  ])("of %s is %j", (body, expected) => {
    expect(insurerMessage(body, null)).toBe(expected);
  });

  it("holds nothing of the request's personal data, no e-mail address and no phone number", () => {
    const personal = { name: "Anne Martin", parts: ["Martin", " Anne ", "Al"], phone: 33 };
    expect(insurerMessage('"Anne Martin, Martin and Anne of Al"', personal)).toBe("…, … and … of Al");
    // The longest first: no part of a name is left over.
    expect(insurerMessage('"Anne Martin"', ["Anne", "Anne Martin"])).toBe("…");
    expect(insurerMessage('"Zoe Al"', ["Zoe", "Al  "])).toBe("… Al");
    expect(insurerMessage('"a.b@c.fr and <d@e.fr> call +33 6 12 34 56 78 or 12345678, not 123"', null)).toBe(
      "… and <…> call … or 12345678, not 123",
    );
    expect(insurerMessage('"call 0612345678."', null)).toBe("call ….");
  });

  it("is cut at 300 characters", () => {
    expect(insurerMessage("a".repeat(300), null)).toBe("a".repeat(300));
    expect(insurerMessage("a".repeat(301), null)).toBe(`${"a".repeat(299)}…`);
    // What follows the first 2,000 characters is not read; where it was cut, no beginning of a name is left.
    const spaced = `b${" ".repeat(1_994)}`;
    expect(insurerMessage(`${spaced}Marti`, ["Martin"])).toBe("b Marti");
    expect(insurerMessage(`${spaced}Martin`, ["Martin"])).toBe("b");
    expect(insurerMessage(`${spaced}abcdefg`, null)).toBe("b abcd");
  });
});
