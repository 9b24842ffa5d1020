/** The app proxy's answer about a cart: which plan belongs to which product, and the proposals. */
import { describe, expect, it } from "vitest";
import { cartResponse } from "#app/offers/cart.ts";
import { camera, cameraPlan, phone, plan } from "#test/storefront/cart-cases.ts";
import { splitCart } from "../../extensions/storefront-scripts/cart-rules.ts";
import type { Band, Offer } from "../../extensions/catalogue.ts";

const keys = (parts: { key: string }[][]) => parts.map((part) => part.map(({ key }) => key).join(" ")).sort();

describe("the parts of a cart that do not concern each other", () => {
  it("are the lines of one pair, and each line without one", () => {
    const cover = { key: "cover", variant: "33", quantity: 1, price: 900, properties: {} };
    const lines = [phone(1), camera(1), cover, plan("a", 1, 5_000), cameraPlan(1)];
    expect(keys(splitCart(lines))).toEqual(["camera c", "cover", "phone a"]);
  });

  it("hold the products of one pair together, in whatever order they come", () => {
    const lines = [plan("a", 2, 5_000), phone(1), phone(1, { key: "second" })];
    expect(keys(splitCart(lines))).toEqual(["a phone second"]);
  });

  it("hold a plan whose pair was lost together with the line that it is nested under", () => {
    const lost = plan("a", 1, 5_000, { properties: { _parasol_pair: "gone" } });
    expect(keys(splitCart([lost, phone(1)]))).toEqual(["a phone"]);
    expect(keys(splitCart([{ ...lost, parent: undefined }, phone(1)]))).toEqual(["a", "phone"]);
    expect(keys(splitCart([{ ...lost, parent: "nowhere" }, phone(1)]))).toEqual(["a", "phone"]);
    // A product without its plan is judged alone, and affects no other line.
    expect(
      keys(splitCart([phone(1, { properties: {} }), camera(1), plan("b", 1, 5_000, { parent: "camera" })])),
    ).toEqual(["camera b", "phone"]);
    expect(keys(splitCart([phone(1, { properties: {} }), plan("b", 1, 5_000)]))).toEqual(["phone b"]);
  });

  it("prefer the pair to the line that a plan is nested under", () => {
    expect(keys(splitCart([phone(1), camera(1), plan("a", 1, 5_000, { parent: "camera" })]))).toEqual([
      "camera",
      "phone a",
    ]);
  });
});

describe("the response", () => {
  const offer: Offer = { term: 24, price: 5_990, billing: "annually", variant: "99", reference: "REF-a" };
  const monthly = (price: number, variant: string, reference: string): Offer => {
    return { term: 12, price, billing: "monthly", variant, reference };
  };
  const shown = { reference_id: "REF-a", plan_variant_id: "99", term: 24, price: 5_990, billing: "annually" };
  const bands: Band[] = [
    { min: 0, max: 59_899, offers: [monthly(1, "97", "REF-a")] },
    { min: 59_900, max: 69_900, offers: [monthly(2, "98", "REF-b"), offer] },
  ];
  const of = (corrections: Partial<Parameters<typeof cartResponse>[0]>, known: Band[] | undefined = bands) =>
    cartResponse({ changes: [], misfits: [], gaps: [], ...corrections }, (variant) =>
      variant === "11" ? known : undefined,
    );

  it("passes changes on, and proposes what fits instead of a plan that goes", () => {
    const changes = [{ key: "a", quantity: 0 }];
    expect(of({ changes, misfits: [{ key: "a", product: phone(1), offer }] })).toEqual({
      changes,
      proposals: [{ plan_key: "a", product_key: "phone", offer: shown }],
      missing: [],
    });
    expect(of({ misfits: [{ key: "a", product: phone(1), offer: null }] }).proposals).toEqual([
      { plan_key: "a", product_key: "phone", offer: null },
    ]);
  });

  it("offers the plan's own reference, at the product's price now, for items that nothing insures", () => {
    const missing = (key: string, known?: Band[], product = phone(3)) =>
      of({ gaps: [{ plan: plan(key, 1, 5_000), product, quantity: 2 }] }, known).missing;
    expect(missing("a")).toEqual([{ plan_key: "a", product_key: "phone", quantity: 2, offer: shown }]);
    expect(missing("z")).toEqual([{ plan_key: "z", product_key: "phone", quantity: 2, offer: null }]);
    expect(missing("a", [])[0]?.offer).toBeNull();
    expect(missing("a", bands, phone(3, { variant: "12" }))[0]?.offer).toBeNull();
  });
});
