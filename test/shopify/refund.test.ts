import { describe, expect, it } from "vitest";
import { spreadRefund } from "#app/shopify/refund.ts";

const payment = (gateway: string, amountMinor: number, maximumMinor: number) => ({
  gateway,
  parentId: null,
  amountMinor,
  maximumMinor,
});

describe("a refund", () => {
  const rows: [string, ReturnType<typeof payment>[], number | null, [string, number][] | null][] = [
    ["goes as suggested", [payment("card", 500, 900)], null, [["card", 500]]],
    [
      "leaves payments out that get nothing",
      [payment("gift", 0, 100), payment("card", 5, 9)],
      null,
      [["card", 5]],
    ],
    ["moves no money where none is left", [payment("card", 0, 0)], null, []],
    ["of a chosen amount is less than suggested", [payment("card", 500, 900)], 200, [["card", 200]]],
    [
      "of a chosen amount fills one payment after another",
      [payment("gift", 100, 100), payment("card", 0, 900)],
      300,
      [
        ["gift", 100],
        ["card", 200],
      ],
    ],
    [
      "of more than the payments hold is none",
      [payment("gift", 100, 100), payment("card", 0, 100)],
      201,
      null,
    ],
  ];
  it.each(rows)("%s", (_, suggested, wanted, expected) => {
    const spread = spreadRefund(suggested, wanted);
    expect(spread && spread.map(({ gateway, amountMinor }) => [gateway, amountMinor])).toEqual(expected);
  });
});
