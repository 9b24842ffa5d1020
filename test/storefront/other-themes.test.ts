/**
 * Traits of theme families other than Dawn's and Horizon's: how they add, where they keep the variant, and how they draw
 * the cart. Each is imitated in a page of the stand-in, from what those themes do.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const place = (format: string) => {
  shop.state.theme.blocks["product"] = [{ id: "offer", handle: "product-offer", settings: { format } }];
};

/**
 * A product form as jQuery themes have it: a button that submits nothing, a select that a script sets without an event,
 * and XMLHttpRequest. The picker stands outside of the form.
 */
function drawJqueryForm(firstOption: string): void {
  const info = document.querySelector("product-info");
  const variants = JSON.parse(info?.querySelector("[data-variants]")?.textContent ?? "[]") as {
    id: number;
    title: string;
  }[];
  const options = variants.map(({ id, title }) => `<option value="${id}">${title}</option>`);
  const pickers = variants.map(({ title }) => `<button type="button">${title}</button>`);
  const form = document.createElement("div");
  form.innerHTML = `<p data-picker>${pickers.join("")}</p>
    <form action="/cart/add" method="post"><select name="id" hidden>${firstOption}${options.join("")}</select>
    <input name="quantity" value="1"><button type="button">Ajouter</button></form>`;
  for (const part of info?.querySelectorAll("product-form, variant-selects, .installment") ?? [])
    part.remove();
  info?.before(form);
  const select = form.querySelector("select");
  form.querySelector("[data-picker]")?.addEventListener("click", (event) => {
    const index = variants.findIndex(({ title }) => title === (event.target as Element).textContent);
    // The theme loads the variant's picture first.
    setTimeout(() => {
      if (select) select.selectedIndex = index + (firstOption ? 1 : 0);
    }, 200);
  });
  form.querySelector("form button")?.addEventListener("click", () => {
    const request = new XMLHttpRequest();
    request.open("POST", "/cart/add.js");
    request.setRequestHeader("content-type", "application/x-www-form-urlencoded; charset=UTF-8");
    request.onload = () => document.body.setAttribute("data-added", request.responseText);
    request.send(`id=${select?.value ?? ""}&quantity=1`);
  });
}

/** The theme's script runs before Parasol's. */
async function visitJqueryTheme(firstOption = ""): Promise<Visit> {
  const visited = await visit(browser, shop, "/");
  await visited.page.route(/products\/lumo-x2$/, async (route) => {
    const response = await route.fetch();
    const script = `<script>(${drawJqueryForm.toString()})(${JSON.stringify(firstOption)})</script>`;
    await route.fulfill({ response, body: (await response.text()).replace("</main>", `${script}</main>`) });
  });
  await visited.page.goto(`${shop.origin}/products/lumo-x2`);
  return visited;
}

describe("a theme that adds with XMLHttpRequest on a click, and keeps the variant in a select", () => {
  it("follows the picker, which no event reports, and carries the plan of the variant picked", async () => {
    place("radio");
    const { page, cartBecomes, problems, close } = await visitJqueryTheme();
    await page.getByRole("button", { name: "512 Go" }).click();
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter", exact: true }).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-800-24", 1]]);
    await page.locator("[data-added*='Lumo X2']").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("opens the dialog before it adds, and then adds once", async () => {
    place("modal");
    const { page, cartBecomes, close } = await visitJqueryTheme();
    await page.getByRole("button", { name: "Ajouter", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Votre smartphone couvert" });
    await dialog.getByLabel("36 mois").check();
    await dialog.getByRole("button", { name: "Assurer mon smartphone" }).click();
    const items = await cartBecomes(({ length }) => length === 2);
    expect(plansIn(items)).toEqual([["SMA-400-36", 1]]);
    expect(items.map(({ quantity }) => quantity)).toEqual([1, 1]);
    await close();
  });

  it("adds the product alone where the dialog is closed without a choice, and does not ask again", async () => {
    place("modal");
    const { page, cartBecomes, close } = await visitJqueryTheme();
    const button = page.getByRole("button", { name: "Ajouter", exact: true });
    await button.click();
    await page
      .getByRole("dialog", { name: "Votre smartphone couvert" })
      .getByRole("button", { name: "Fermer" })
      .click();
    await cartBecomes(([item]) => item?.quantity === 1);
    await button.click();
    await cartBecomes(([item, ...others]) => item?.quantity === 2 && others.length === 0);
    await close();
  });

  it("offers for the first variant where none is picked yet, and keeps the choice for the picked one only at its price", async () => {
    place("radio");
    const { page, close } = await visitJqueryTheme('<option value="">Choisir</option>');
    await page.getByRole("radio", { name: "24 mois" }).check();
    expect(await page.locator("parasol-offer[data-chosen]").count()).toBe(1);
    await page.getByRole("button", { name: "512 Go" }).click();
    await page.getByText("Choisissez à nouveau").waitFor();
    await close();
  });
});

it.each(["variant:change", "theme:variant:change", "variant-change"])(
  "follows a variant that the theme reports with its own event alone: %s",
  async (name) => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    const id = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-x2")?.variants[2]?.id;
    await page.evaluate(
      ([name, id]) => {
        for (const form of document.querySelectorAll("main form")) form.remove();
        const detail = { variant: { id: Number(id) } };
        document.querySelector("product-info")?.dispatchEvent(new CustomEvent(name, { detail }));
      },
      [name, id ?? ""] as const,
    );
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    await close();
  },
);

/** A cart page whose script has put its listeners on the rows, outside of any custom element. */
async function asScriptedCart(
  page: Page,
  redraws: string | null,
  { element = "form", quantity = "span" } = {},
): Promise<void> {
  await page.evaluate(
    ([redraws, element, field]) => {
      const items = document.querySelector("main cart-items");
      items?.replaceWith(...items.childNodes);
      const list = document.createElement(element);
      const draw = async () => {
        const cart = (await (await fetch("/cart.js")).json()) as {
          items: { title: string; quantity: number }[];
        };
        list.innerHTML = cart.items
          .map(
            ({ title, quantity }) =>
              `<p class="their-line">${title} × <${field}><b><input name="updates[]" value="${quantity}"></b></${field}></p>`,
          )
          .join("");
      };
      document.querySelector("main .cart-list")?.replaceWith(list);
      void draw();
      if (redraws === "getCart") Object.assign(list, { getCart: draw });
      else if (redraws) document.addEventListener(redraws, () => void draw());
    },
    [redraws, element, quantity] as const,
  );
  await page.locator(".their-line").first().waitFor();
}

async function insureOnCartPage(page: Page): Promise<void> {
  const panel = page.locator("main parasol-cart");
  await panel.locator("summary").click();
  await panel.getByRole("radio", { name: "24 mois" }).check();
  await panel.getByRole("button", { name: "Ajouter l'assurance" }).click();
}

describe("a cart page whose rows only the theme can draw", () => {
  it.each([
    ["its own event", "cart:build", "form"],
    ["another event", "theme:cartchanged", "form"],
    ["a method of its own element", "getCart", "cart-items"],
  ])("is left to the theme by %s, without a reload", async (_, redraws, element) => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/");
    // The stand-in's own elements would draw.
    if (element === "cart-items")
      await page.route(/assets\/cart(-drawer)?\.js/, (route) => route.fulfill({ body: "" }));
    await page.request.post(`${shop.origin}/cart/add.js`, {
      data: { items: [{ id: idOf("lumo-x2"), quantity: 1 }] },
    });
    await page.goto(`${shop.origin}/cart`);
    await asScriptedCart(page, redraws, { element });
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await insureOnCartPage(page);
    await cartBecomes(({ length }) => length === 2);
    await eventually(async () => expect(await page.locator(".their-line").count()).toBe(2));
    await page.getByText("Assurance ajoutée.").filter({ visible: true }).first().waitFor();
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
    await close();
  });

  it.each(["span", "quantity-selector"])(
    "is loaded again where the theme draws nothing, and says then what has happened, with each quantity in a %s",
    async (quantity) => {
      const { page, cartBecomes, close } = await visit(browser, shop, "/");
      await page.request.post(`${shop.origin}/cart/add.js`, {
        data: { items: [{ id: idOf("lumo-x2"), quantity: 1 }] },
      });
      await page.goto(`${shop.origin}/cart`);
      await asScriptedCart(page, null, { quantity });
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      await insureOnCartPage(page);
      await cartBecomes(({ length }) => length === 2);
      await eventually(async () => expect(await page.locator("main .cart-item").count()).toBe(2));
      expect(await page.evaluate(() => "isSamePage" in window)).toBe(false);
      await page.getByText("Assurance ajoutée.").filter({ visible: true }).first().waitFor();
      expect(await page.getByText("Réessayez").count()).toBe(0);
      await close();
    },
  );
});

describe("a drawer that the theme has more than once, or moves into view", () => {
  /** Drawers with a line each, over the page. */
  const openWith = async (drawers: string) => {
    const opened = await visit(browser, shop, "/");
    await opened.page.request.post(`${shop.origin}/cart/add.js`, {
      data: { items: [{ id: idOf("lumo-x2"), quantity: 1 }] },
    });
    await opened.page.route(/\/$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace(/<cart-drawer[\s\S]*<\/cart-drawer>/, "")
        .replace("</main>", `</main>${drawers}`);
      await route.fulfill({ response, body });
    });
    await opened.page.reload();
    return opened;
  };
  const drawer = (id: string, style = "", lines = "") =>
    `<div style="${style}"><div id="${id}" style="position: fixed; inset: 0; overflow: hidden">
      <div style="padding: 0 20px; ${lines}"><a href="/products/lumo-x2">Lumo X2</a></div>
      <form action="/cart"><button name="checkout">Payer</button></form></div></div>`;

  it("has its panel in the copy that lies on top", async () => {
    const { page, close } = await openWith(drawer("first") + drawer("second"));
    await page.locator("#second parasol-cart").getByText("Protégez votre smartphone").waitFor();
    expect(await page.locator("#first parasol-cart").count()).toBe(0);
    await close();
  });

  it("has its panel in the copy for this width", async () => {
    const { page, close } = await openWith(drawer("first") + drawer("second", "display: none"));
    await page.locator("#first parasol-cart").getByText("Protégez votre smartphone").waitFor();
    await close();
  });

  it("has its panel as far from the edge as the lines, while these still move", async () => {
    const { page, close } = await openWith(drawer("first", "", "transform: translateX(17px)"));
    const panel = page.locator("#first parasol-cart");
    await panel.getByText("Protégez votre smartphone").waitFor();
    expect((await panel.boundingBox())?.x).toBe(20);
    await close();
  });
});

describe("a drawer with a countdown", () => {
  it("is loaded again where nothing but the countdown changes after insurance was added", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/");
    await page.request.post(`${shop.origin}/cart/add.js`, {
      data: { items: [{ id: idOf("lumo-x2"), quantity: 1 }] },
    });
    await page.goto(`${shop.origin}/cart`);
    await asScriptedCart(page, null);
    await page.evaluate(() => {
      const countdown = document.createElement("p");
      document.querySelector(".their-line")?.before(countdown);
      setInterval(() => countdown.replaceChildren(new Date().toISOString()), 50);
      Object.assign(window, { isSamePage: true });
    });
    await insureOnCartPage(page);
    await cartBecomes(({ length }) => length === 2);
    await eventually(async () => expect(await page.locator("main .cart-item").count()).toBe(2));
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(false);
    await close();
  });
});

it("hides Parasol's properties where the theme prints them, and leaves those of the shopper", async () => {
  const { page, cart, close } = await visit(browser, shop, "/products/lumo-x2");
  place("radio");
  await page.reload();
  await page.getByRole("radio", { name: "24 mois" }).check();
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await eventually(async () => expect((await cart()).items).toHaveLength(2));
  await page.route(/\/cart$/, async (route) => {
    const response = await route.fetch();
    const html = `<div id="printed">
      <div><span>Gravure:</span> <span>Ana</span></div>
      <div><span>_parasol_pair:</span> <span>4565</span></div>
      <dl><dt>_parasol_reference:</dt><dd>SMA-400-24</dd><dt>Taille</dt><dd>L</dd></dl>
      <p>Couleur: bleu<br>_parasol_touchpoint: product_page</p></div>`;
    await route.fulfill({ response, body: (await response.text()).replace("</main>", `${html}</main>`) });
  });
  await page.goto(`${shop.origin}/cart`);
  const printed = page.locator("#printed");
  await eventually(async () => {
    const words = (await printed.innerText()).split(/\s+/).filter(Boolean);
    expect(words).toEqual(["Gravure:", "Ana", "Taille", "L", "Couleur:", "bleu"]);
  });
  await close();
});

it("corrects a counter beside the cart's icon that the theme does not draw", async () => {
  const { page, close } = await visit(browser, shop, "/");
  await page.request.post(`${shop.origin}/cart/add.js`, {
    data: { items: [{ id: idOf("lumo-x2"), quantity: 1 }] },
  });
  await page.goto(`${shop.origin}/cart`);
  await page.evaluate(() =>
    document.body.insertAdjacentHTML("afterbegin", '<span class="header-cart__count">1</span>'),
  );
  await insureOnCartPage(page);
  await page.locator(".header-cart__count", { hasText: "2" }).waitFor();
  await close();
});

const idOf = (handle: string) =>
  [...shop.state.products.values()].find((product) => product.handle === handle)?.variants[0]?.id ?? "";
