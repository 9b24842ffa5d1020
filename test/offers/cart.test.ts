/** What of a cart concerns what. */
import { describe, expect, it } from "vitest";
import { camera, cameraPlan, phone, plan } from "#test/storefront/cart-cases.ts";
import { splitCart } from "../../extensions/storefront-scripts/cart-rules.ts";

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
    // A product whose plan was lost lies by itself, and takes nothing with it.
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
