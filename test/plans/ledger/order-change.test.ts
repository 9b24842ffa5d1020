import { describe, expect, it } from "vitest";
import { remainingAfter } from "#app/plans/ledger/ledger.ts";

type Change = Parameters<typeof remainingAfter>[0];
/** `ended`: not wanted any more, and its item is still in the order */
const units = (lineId: string, wanted: (boolean | "ended")[], insuredLineId: string | null = null) =>
  wanted.map((each) => ({ lineId, insuredLineId, wanted: each === true, endedInOrder: each === "ended" }));
const after = (
  removed: { lineId: string; quantity: number }[],
  known: Parameters<typeof remainingAfter>[1],
  products: Parameters<typeof remainingAfter>[2] = [],
) => {
  const change: Change = { id: "refund 1", at: new Date(0), removed, adds: false };
  const { keep, products: left } = remainingAfter(change, known, products);
  return { keep: Object.fromEntries(keep), products: Object.fromEntries(left) };
};

describe("what is left to insure after a refund or an edit", () => {
  it("is what was wanted without what was taken, never less than nothing", () => {
    const plan = units("plan", [true, true, true, false]);
    expect(after([], plan).keep).toEqual({ plan: 3 });
    expect(after([{ lineId: "plan", quantity: 1 }], plan).keep).toEqual({ plan: 2 });
    expect(
      after(
        [
          { lineId: "plan", quantity: 1 },
          { lineId: "plan", quantity: 1 },
        ],
        plan,
      ).keep,
    ).toEqual({ plan: 1 });
    expect(after([{ lineId: "plan", quantity: 9 }], plan).keep).toEqual({ plan: 0 });
    expect(after([{ lineId: "other", quantity: 2 }], plan).keep).toEqual({ plan: 3 });
  });

  it("loses nothing to a refund of items that were not insured any more, once for each of them", () => {
    const take = (quantity: number, plan: ReturnType<typeof units>) =>
      after([{ lineId: "plan", quantity }], plan).keep["plan"];
    expect(take(1, units("plan", [true, true, "ended"]))).toBe(2);
    expect(take(2, units("plan", [true, true, "ended"]))).toBe(1);
    expect(take(3, units("plan", [true, true, "ended"]))).toBe(0);
    // That item is refunded by now.
    expect(take(1, units("plan", [true, true, false]))).toBe(1);
    expect(take(1, units("plan", [true, "ended", false, "ended"]))).toBe(1);
  });

  it("is no more than the items of the product that are left", () => {
    const plan = units("plan", [true, true, true], "phone");
    const phone = [{ lineId: "phone", currentQuantity: 3 }];
    expect(after([{ lineId: "phone", quantity: 2 }], plan, phone)).toEqual({
      keep: { plan: 1 },
      products: { phone: 1 },
    });
    expect(after([{ lineId: "phone", quantity: 9 }], plan, phone)).toEqual({
      keep: { plan: 0 },
      products: { phone: 0 },
    });
    // Fewer plans than items are left: the items decide nothing.
    const more = [{ lineId: "phone", currentQuantity: 9 }];
    expect(after([{ lineId: "phone", quantity: 2 }], plan, more).keep).toEqual({ plan: 3 });
    const both = [
      { lineId: "phone", quantity: 7 },
      { lineId: "plan", quantity: 2 },
    ];
    expect(after(both, plan, more).keep).toEqual({ plan: 1 });
  });

  it("says nothing of products that were not touched, and keeps plan lines apart", () => {
    const known = [...units("a", [true, true], "phone"), ...units("b", [true], "camera")];
    const products = [
      { lineId: "phone", currentQuantity: 2 },
      { lineId: "camera", currentQuantity: 1 },
    ];
    expect(after([{ lineId: "camera", quantity: 1 }], known, products)).toEqual({
      keep: { a: 2, b: 0 },
      products: { camera: 0 },
    });
  });
});
