import { describe, expect, it } from "vitest";
import { readConsent } from "#app/orders/consent.ts";

describe("a shopper's consent", () => {
  it("is read with the version of the text and its time", () => {
    expect(readConsent("3f9c-v2 2026-11-21T10:00:00.000Z")).toEqual({
      version: "3f9c-v2",
      at: "2026-11-21T10:00:00.000Z",
    });
  });

  it.each([
    "accordé au comptoir",
    "",
    "1",
    "1 2026-11-21",
    " 1 2026-11-21T10:00:00Z",
    "said by phone 2026-11-21T10:00:00Z",
    "1 2026-11-21T10:00:00Z by phone",
    "1 2026-13-45T10:00:00Z",
    "zoe@example.com 2026-11-21T10:00:00Z",
    "1 2026-11-21Tzoe@example.com",
  ])("is noted in words, and read as nothing more: %j", (consent) => {
    expect(readConsent(consent)).toBeNull();
  });
});
