import { describe, expect, it } from "vitest";
import { planStanding } from "#app/insurance/status-words.ts";

describe("the status of a plan", () => {
  it.each([
    ["active", ["active", "Active", " ACTIVE "]],
    ["cancelled", ["cancelled", "canceled", "CANCELLED", "terminated", "void", "Annulé", "résilié"]],
    [
      "not_in_force",
      [
        "refused",
        "Rejected",
        "expired",
        "pending",
        "pending payment",
        "payment-pending",
        "awaiting.signature",
      ],
    ],
    ["not_in_force", ["", "not active", "PAYMENT_REQUIRED", "en attente de paiement", "suspended", "unpaid"]],
    ["listed", ["in_force", "signed", "Validé", "issued", "live", "ok", "depending"]],
  ] as const)("is %s where the insurer writes one of %j", (standing, words) => {
    expect(words.map((word) => planStanding(word))).toEqual(words.map(() => standing));
  });

  it("is what the merchant said of the word, however it is written, but for the specification's own two", () => {
    const words = { in_force: "in_force", signed: "not_in_force", active: "not_in_force" } as const;
    expect(["In Force", "SIGNED", "active", "live"].map((word) => planStanding(word, words))).toEqual([
      "active",
      "not_in_force",
      "active",
      "listed",
    ]);
  });
});
