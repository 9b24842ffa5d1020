/** The stand-in's Ajax cart follows Shopify's rules: otherwise the storefront's tests would be too easy. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { handleOf } from "#app/catalogue/sync/plan-products.ts";
import { openTestShop, PHONES, type TestShop } from "./shop.ts";
import type { CartItem } from "./visit.ts";

let shop: TestShop;
let cookie = "";
let phone: string[];
let soldOut: string;

beforeAll(async () => {
  shop = await openTestShop();
  const variants = (handle: string) =>
    [...shop.state.products.values()].find((each) => each.handle === handle)?.variants.map(({ id }) => id) ??
    [];
  phone = variants("lumo-x2");
  [soldOut = ""] = variants("lumo-zero");
});
afterAll(() => shop.close());

beforeEach(async () => {
  const response = await fetch(`${shop.origin}/cart.js`);
  cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
});

interface Answer extends CartItem {
  items: CartItem[];
  status: number;
  description: string;
  sections: Record<string, string | null>;
}

async function send(
  path: string,
  body: object | URLSearchParams | FormData,
): Promise<{ status: number; json: Answer }> {
  const form = body instanceof URLSearchParams || body instanceof FormData;
  const response = await fetch(shop.origin + path, {
    method: "POST",
    headers: { cookie, ...(form ? {} : { "content-type": "application/json" }) },
    body: form ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Answer };
}
const lines = async () =>
  ((await (await fetch(`${shop.origin}/cart.js`, { headers: { cookie } })).json()) as Answer).items;
const short = (items: CartItem[]) =>
  items.map(({ variant_id, quantity, parent_relationship }) => [
    String(variant_id),
    quantity,
    parent_relationship !== undefined,
  ]);

describe("the Ajax cart", () => {
  it("merges lines with equal variant and properties and keeps the others apart", async () => {
    await send("/cart/add.js", { id: phone[0], quantity: 1 });
    await send("/cart/add.js", new URLSearchParams({ id: phone[0] ?? "", quantity: "2" }));
    await send("/cart/add.js", { items: [{ id: phone[0], quantity: 1, properties: { Gravure: "Léa" } }] });
    expect(short(await lines())).toEqual([
      [phone[0], 1, false],
      [phone[0], 3, false],
    ]);
  });

  it("nests a line under its parent, whichever came first, and takes it away with it", async () => {
    const plan = shop.planVariant("SMA-400-12");
    const { json } = await send("/cart/add.js", {
      items: [{ id: phone[0] }, { id: phone[1] }, { id: plan, parent_id: phone[0] }],
    });
    expect(json.items).toHaveLength(3);
    expect(short(await lines())).toEqual([
      [phone[0], 1, false],
      [plan, 1, true],
      [phone[1], 1, false],
    ]);
    await send("/cart/change.js", { line: 1, quantity: 0 });
    expect(short(await lines())).toEqual([[phone[1], 1, false]]);
  });

  it("takes a key as parent, and gives a line a new key when its properties change", async () => {
    const { json: added } = await send("/cart/add.js", { id: phone[0], quantity: 1 });
    const { json: changed } = await send("/cart/change.js", {
      id: added.key,
      quantity: 1,
      properties: { _parasol_pair: "x" },
    });
    const key = changed.items[0]?.key;
    expect(key).not.toBe(added.key);
    expect(
      (
        await send("/cart/add.js", {
          items: [{ id: shop.planVariant("SMA-400-12"), parent_line_key: added.key }],
        })
      ).status,
    ).toBe(422);
    expect(
      (await send("/cart/add.js", { items: [{ id: shop.planVariant("SMA-400-12"), parent_line_key: key }] }))
        .status,
    ).toBe(200);
  });

  it("refuses with 422, in Shopify's shape, and adds nothing of the request", async () => {
    const refused = [
      { items: [{ id: phone[0] }, { id: soldOut }] },
      { items: [{ id: phone[0] }, { id: "999" }] },
      { items: [{ id: phone[0], parent_id: phone[0] }] },
      { items: [{ id: phone[0], parent_id: phone[1] }] },
    ];
    for (const body of refused) {
      const { status, json } = await send("/cart/add.js", body);
      expect([status, json.status]).toEqual([422, 422]);
      expect(json.description).not.toBe("");
    }
    expect(await lines()).toEqual([]);
  });

  it("does not sell what is not published, and sells what is only UNLISTED", async () => {
    const accessory = [...shop.state.products.values()].find(({ handle }) => handle === "coque-lumo");
    const id = accessory?.variants[0]?.id;
    const published = accessory?.publishedOn ?? new Set<string>();
    if (accessory) accessory.publishedOn = new Set();
    expect((await send("/cart/add.js", { id })).status).toBe(422);
    if (accessory) accessory.publishedOn = published;
    expect((await send("/cart/add.js", { id: shop.planVariant("SMA-400-12") })).status).toBe(200);
    const all = await (await fetch(`${shop.origin}/collections/all`)).text();
    expect(all).toContain("Coque Lumo");
    expect(all).not.toContain("Assurance Smartphone");
    expect((await fetch(`${shop.origin}/products/${handleOf(PHONES, "production", 1)}`)).status).toBe(200);
  });

  it("renders sections with its answer, and updates several lines at once", async () => {
    const { json } = await send("/cart/add.js", {
      items: [{ id: phone[0] }, { id: phone[1] }],
      sections: "cart-drawer,no-such",
      sections_url: "/",
    });
    expect(json.sections["cart-drawer"]).toContain("128 Go");
    expect(json.sections["no-such"]).toBeNull();
    const updates = { [(await lines())[0]?.key ?? ""]: 5, [phone[1] ?? ""]: 0 };
    await send("/cart/update.js", { updates });
    expect(short(await lines())).toEqual([[phone[0], 5, false]]);
    expect((await send("/cart/clear.js", {})).json.items).toEqual([]);
  });

  it.each([
    ["URL-encoded", () => new URLSearchParams()],
    ["a form's data", () => new FormData()],
  ])("reads properties from a form, lists and repeated fields too: %s", async (_, open) => {
    const form = open();
    for (const [name, value] of [
      ["id", phone[0] ?? ""],
      ["properties[Gravure][]", "Coeur"],
      ["properties[Gravure][]", "Etoile"],
      ["properties[Emballage]", "Non"],
      ["properties[Emballage]", "Oui"],
      ["properties[Vide]", ""],
    ] as const)
      form.append(name, value);
    await send("/cart/add.js", form);
    expect((await lines()).map(({ properties }) => properties)).toEqual([
      { Gravure: ["Coeur", "Etoile"], Emballage: "Oui" },
    ]);
  });

  it("reads several items from a form, each with its properties and its parent", async () => {
    const plan = shop.planVariant("SMA-400-12");
    await send(
      "/cart/add.js",
      new URLSearchParams({
        "items[0][id]": phone[0] ?? "",
        "items[0][quantity]": "2",
        "items[0][properties][Gravure]": "Léa",
        "items[1][id]": plan,
        "items[1][parent_id]": phone[0] ?? "",
      }),
    );
    const items = await lines();
    expect(short(items)).toEqual([
      [phone[0], 2, false],
      [plan, 1, true],
    ]);
    expect(items[0]?.properties).toEqual({ Gravure: "Léa" });
  });

  it("answers a change of no line with 400", async () => {
    expect((await send("/cart/change.js", { id: "none", quantity: 1 })).status).toBe(400);
  });
});
