/** Which requests carry the chosen plan into the cart, in every form in which themes and apps send them. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { openTestShop, type TestShop } from "./shop.ts";
import { plansIn, visit, type Visit } from "./visit.ts";

let browser: Browser;
let shop: TestShop;
beforeAll(async () => {
  browser = await openBrowser();
  shop = await openTestShop();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const variant = (handle: string) =>
  [...shop.state.products.values()].find((product) => product.handle === handle)?.variants[0]?.id ?? "";

async function choose(path = "/products/lumo-x2"): Promise<Visit & { id: string }> {
  const visited = await visit(browser, shop, path);
  await visited.page.getByRole("radio", { name: "24 mois" }).check();
  return { ...visited, id: variant("lumo-x2") };
}

/** A theme's or an app's request, sent by a script of the page. @returns its answer */
function post(page: Page, url: string, body: object): Promise<unknown> {
  return page.evaluate(
    async ([to, text]) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(to, { method: "POST", headers, body: text });
      return response.headers.get("content-type")?.includes("json")
        ? ((await response.json()) as unknown)
        : null;
    },
    [url, JSON.stringify(body)] as const,
  );
}

const productsIn = (items: Awaited<ReturnType<Visit["cart"]>>["items"]) =>
  items.filter(({ properties }) => properties["_parasol_reference"] === undefined);

/** Ways to send the same product, by name. Each returns the answer's `sections` and the line's variant. */
const ways: Record<string, (id: string) => Promise<unknown>> = {
  "fetch, JSON": async (id) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ id, quantity: 2, sections: "cart-icon-bubble" });
    return (await (await fetch("/cart/add.js", { method: "POST", headers, body })).json()) as unknown;
  },
  "fetch, URL-encoded text": async (id) => {
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
    const body = `id=${id}&quantity=2&sections=cart-icon-bubble`;
    return (await (
      await fetch(new URL("/cart/add.js", location.href), { method: "post", headers, body })
    ).json()) as unknown;
  },
  "fetch, URLSearchParams": async (id) => {
    const body = new URLSearchParams({ id, quantity: "2", sections: "cart-icon-bubble" });
    return (await (await fetch("/cart/add", { method: "POST", body })).json()) as unknown;
  },
  "fetch, a Request with JSON": async (id) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ id, quantity: 2, sections: "cart-icon-bubble" });
    return (await (
      await fetch(new Request("/cart/add.js", { method: "POST", headers, body }))
    ).json()) as unknown;
  },
  "fetch, a Request with a form": async (id) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ id, quantity: "2", sections: "cart-icon-bubble" }))
      body.append(name, value);
    return (await (await fetch(new Request("/cart/add.js", { method: "POST", body }))).json()) as unknown;
  },
  "XMLHttpRequest, as jQuery sends it": (id) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", "/cart/add.js", true);
      request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8");
      request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
      request.onload = () => {
        const isOf = request.status === 200 && request.responseURL.endsWith("/cart/add.js");
        if (isOf) resolve(JSON.parse(request.responseText));
        else reject(new Error(`${request.status} ${request.responseURL}`));
      };
      request.send(`id=${id}&quantity=2&sections=cart-icon-bubble`);
    }),
  "XMLHttpRequest with a form, its answer as JSON, as axios sends it": (id) =>
    new Promise((resolve) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ id, quantity: "2", sections: "cart-icon-bubble" }))
        body.append(name, value);
      const request = new XMLHttpRequest();
      request.open("POST", "/cart/add.js");
      request.responseType = "json";
      request.addEventListener("loadend", () => resolve(request.response));
      request.send(body);
    }),
};

it.each(Object.keys(ways))("adds the chosen plan, for all items, to a request by %s", async (way) => {
  const { page, cart, problems, id, close } = await choose();
  const answer = await page.evaluate(`(${String(ways[way])})(${JSON.stringify(id)})`);
  const { items } = await cart();
  expect(plansIn(items)).toEqual([["SMA-400-24", 2]]);
  expect(items[1]?.parent_relationship?.parent_key).toBe(items[0]?.key);
  // The theme reads its product's line, and the sections as they are with the plan.
  expect(answer).toMatchObject({
    key: items[0]?.key,
    sections: { "cart-icon-bubble": expect.stringContaining("4") as string },
  });
  expect(problems).toEqual([]);
  await close();
});

it("tells an XMLHttpRequest what the shop refuses, and keeps the choice for the next try", async () => {
  const { page, cart, id, close } = await choose();
  const phone = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-x2")?.variants[0];
  Object.assign(phone ?? {}, { tracked: true, inventoryQuantity: 0, inventoryPolicy: "DENY" });
  const add = () =>
    page.evaluate(
      (variantId) =>
        new Promise<[number, string]>((resolve) => {
          const request = new XMLHttpRequest();
          request.open("POST", "/cart/add.js");
          request.setRequestHeader("content-type", "application/json");
          request.onload = () => resolve([request.status, request.responseText]);
          request.send(JSON.stringify({ items: [{ id: variantId, quantity: 1 }] }));
        }),
      id,
    );
  expect(await add()).toEqual([422, expect.stringContaining("sold out")]);
  expect((await cart()).items).toEqual([]);
  Object.assign(phone ?? {}, { tracked: false });
  expect((await add())[0]).toBe(200);
  expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]);
  await close();
});

it("adds the plan to a form that a theme's script submits, and goes where the form leads", async () => {
  const { page, cart, close } = await choose();
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('main form[action*="/cart/add"]:has(button)');
    form?.insertAdjacentHTML("beforeend", '<input type="hidden" name="return_to" value="/collections/all">');
    form?.submit();
  });
  await page.waitForURL("**/collections/all");
  expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]);
  await close();
});

it.each([
  "/apps/wishlist/cart/add",
  "/apps/track/cart/add-event",
  "/apps/x/cart/add.js",
  "/cart/add.json/log",
  "https://collect.example/v1/cart/add",
  "https://collect.example/cart/add.js",
])("leaves a request to another address as it is: %s", async (url) => {
  const { page, cart, id, close } = await choose();
  const received: string[] = [];
  await page.route(
    (address) => address.href.endsWith(url),
    async (route) => {
      if (route.request().method() === "POST") received.push(route.request().postData() ?? "");
      await route.fulfill({ contentType: "application/json", body: "{}", headers: cors });
    },
  );
  await post(page, url, { id, quantity: 1 });
  expect(received).toEqual([JSON.stringify({ id, quantity: 1 })]);
  expect((await cart()).items).toEqual([]);
  await close();
});
const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

it("recognises the cart under the address of a language", async () => {
  const { page, cart, id, close } = await choose();
  await post(page, "/fr/cart/add.js", { items: [{ id, quantity: 1 }] });
  expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]);
  await close();
});

it("insures what the shopper added, and no gift of the same variant that a script adds after it", async () => {
  const { page, cart, id, close } = await choose();
  await post(page, "/cart/add.js", { id, quantity: 1 });
  await post(page, "/cart/add.js", { items: [{ id, quantity: 1, properties: { _gift: "1" } }] });
  const { items, total_price } = await cart();
  expect(productsIn(items).map(({ quantity }) => quantity)).toEqual([1, 1]);
  expect(plansIn(items)).toEqual([["SMA-400-24", 1]]);
  expect(total_price).toBe(126_200);
  // The next item needs a choice of its own: none is shown.
  expect(await page.locator("parasol-offer :checked").count()).toBe(0);
  await page.getByRole("radio", { name: "12 mois" }).check();
  await post(page, "/cart/add.js", { id, quantity: 1 });
  expect(plansIn((await cart()).items).sort()).toEqual([
    ["SMA-400-12", 1],
    ["SMA-400-24", 1],
  ]);
  await close();
});

it("insures one item of a request that brings its gift along", async () => {
  const { page, cart, id, close } = await choose();
  const gift = { id, quantity: 1, properties: { _gift: "1" } };
  await post(page, "/cart/add.js", { items: [{ id, quantity: 1 }, gift] });
  const { items } = await cart();
  expect(plansIn(items)).toEqual([["SMA-400-24", 1]]);
  expect(productsIn(items).find(({ properties }) => "_gift" in properties)?.properties).toEqual({
    _gift: "1",
  });
  await close();
});

it("adds no plan to what a script adds by itself, long after the shopper pressed anything", async () => {
  const visited = await visit(browser, shop, "/collections/all");
  const { page, cart, close } = visited;
  // The page's clock, which the test sets forward.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    Object.assign(window, { hours: 0 });
    performance.now = () => now() + Number(Reflect.get(window, "hours")) * 3_600_000;
  });
  await page.goto(`${shop.origin}/products/lumo-x2`);
  await page.getByRole("radio", { name: "24 mois" }).check();
  await page.evaluate(() => Object.assign(window, { hours: 1 }));
  await post(page, "/cart/add.js", { id: variant("lumo-x2"), quantity: 1 });
  expect(plansIn((await cart()).items)).toEqual([]);
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await eventually(async () => expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]));
  await close();
});

it("keeps every field of a form: lists, repeated fields, files", async () => {
  const { page, cart, id, close } = await choose();
  await page.evaluate(async (variantId) => {
    const form = new FormData();
    for (const [name, value] of [
      ["id", variantId],
      ["quantity", "1"],
      ["properties[Gravure][]", "Coeur"],
      ["properties[Gravure][]", "Etoile"],
      ["properties[Emballage]", "Non"],
      ["properties[Emballage]", "Oui"],
    ] as const)
      form.append(name, value);
    form.append("properties[Photo]", new File(["x"], "photo.png"));
    await fetch("/cart/add.js", { method: "POST", body: form });
  }, id);
  const { items } = await cart();
  const [product] = productsIn(items);
  expect(product?.properties).toEqual({
    Gravure: ["Coeur", "Etoile"],
    Emballage: "Oui",
    Photo: "/uploads/photo.png",
    _parasol_pair: expect.stringMatching(new RegExp(`^${id}-`)) as string,
  });
  expect(plansIn(items)).toEqual([["SMA-400-24", 1]]);
  await close();
});

it.each(["JSON", "form"])("keeps a theme's add-on nested under the product: %s", async (format) => {
  const { page, cart, id, close } = await choose();
  const caseId = variant("coque-lumo");
  if (format === "JSON")
    await post(page, "/cart/add.js", {
      items: [
        { id, quantity: 1 },
        { id: caseId, quantity: 1, parent_id: id, properties: { Gravure: "Ana" } },
      ],
    });
  else
    await page.evaluate(
      ([phone, cover]) =>
        fetch("/cart/add.js", {
          method: "POST",
          body: new URLSearchParams({
            "items[0][id]": phone,
            "items[0][quantity]": "1",
            "items[1][id]": cover,
            "items[1][quantity]": "1",
            "items[1][parent_id]": phone,
            "items[1][properties][Gravure]": "Ana",
          }),
        }),
      [id, caseId] as const,
    );
  const { items } = await cart();
  const [phone, cover] = productsIn(items);
  expect(plansIn(items)).toEqual([["SMA-400-24", 1]]);
  expect(cover?.parent_relationship?.parent_key).toBe(phone?.key);
  expect(cover?.properties).toEqual({ Gravure: "Ana" });
  await close();
});

it("insures the phone that is added alone, not the one that is nested under another product", async () => {
  const { page, cart, id, close } = await choose();
  const outer = variant("coque-lumo");
  await post(page, "/cart/add.js", {
    items: [
      { id: outer, quantity: 1 },
      { id, quantity: 1, parent_id: outer },
    ],
  });
  expect(plansIn((await cart()).items)).toEqual([]);
  await close();
});
