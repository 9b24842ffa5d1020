/** The shopper's steps: find the offer, choose a term, pay. */
import type { Page } from "playwright-core";
import type { Product } from "#test/sandbox/shop/state.ts";
import type { Trail } from "./drive.ts";
import type { Stage } from "./stage.ts";
import type { Found } from "./steps.ts";
import type { Visitor } from "./visitors.ts";

/** The shopper's input at the checkout, by field. */
export const buyer = {
  email: "camille.durand@example.com",
  first_name: "Camille",
  last_name: "Durand",
  address1: "12 rue des Lilas",
  zip: "69003",
  city: "Lyon",
};

/** A product that the demo's rules insure. @throws Error if the shop has none */
export function insurableProduct({ state }: Stage["shop"]): Product {
  const product = [...state.products.values()].find(
    ({ productType, status }) => productType === "Smartphone" && status === "ACTIVE",
  );
  if (!product) throw new Error("The demo shop has no smartphone");
  return product;
}

/** Fills in the open checkout and pays. @returns the order's id */
export async function fillCheckout(page: Page): Promise<string> {
  for (const [name, value] of Object.entries(buyer)) await page.locator(`input[name="${name}"]`).fill(value);
  await page.locator("#pay").click();
  return (await page.locator("[data-order-id]").getAttribute("data-order-id")) ?? "";
}

export function shopperSteps(
  { shop }: Stage,
  shopper: Visitor,
  trail: Trail,
): [string, () => Promise<Found>][] {
  const { page, requests } = shopper;
  const product = insurableProduct(shop);
  trail.productHandle = product.handle;
  return [
    [
      "offer",
      async () => {
        shopper.forget();
        await page.goto(`${shop.origin}/products/${product.handle}`);
        const offer = page.locator("parasol-offer").first();
        await offer.waitFor();
        // The closed dialog contains the same terms.
        const terms = await offer.locator("[data-terms] label").filter({ visible: true }).allInnerTexts();
        const chosen = await offer.locator("input:checked").count();
        if (terms.length === 0) throw new Error("The product page shows no offer");
        if (chosen > 0) throw new Error("An insurance was chosen before the shopper chose one");
        return {
          text: `The page of "${product.title}" shows ${terms.length} offers, none of them chosen: ${terms.map(flat).join("; ")}`,
          ids: {
            product: product.id,
            requests_to_parasol: requests.filter((url) => url.includes("/apps/parasol")).length,
          },
        };
      },
    ],
    [
      "cart",
      async () => {
        const offer = page.locator("parasol-offer").first();
        await offer.locator("[data-terms] input").nth(1).check();
        shopper.forget();
        // The product's line, then the plan's line, which is nested under it.
        let answered = 0;
        const added = page.waitForResponse(
          (response) => response.url().includes("/cart/add") && (answered += 1) === 2,
        );
        await page.locator('form[action*="/cart/add"] [type=submit]').first().click();
        await added;
        const calls = requests.filter((url) => url.includes("/cart/add")).length;
        await page.goto(`${shop.origin}/cart`);
        const lines = await page.evaluate<{
          items: { title: string; quantity: number; variant_id: number }[];
        }>("fetch('/cart.js').then((answer) => answer.json())");
        if (lines.items.length !== 2 || calls !== 2) {
          throw new Error(
            `The cart has ${lines.items.length} lines after ${calls} calls; 2 lines after 2 calls were expected`,
          );
        }
        return {
          text: `Product and plan are in the cart after two calls: ${lines.items.map(({ title, quantity }) => `${title} × ${quantity}`).join("; ")}`,
          ids: { variants: lines.items.map(({ variant_id }) => String(variant_id)) },
        };
      },
    ],
    [
      "pay",
      async () => {
        await page.goto(`${shop.origin}/checkout`);
        trail.orderId = await fillCheckout(page);
        const order = await page.locator("[data-order-id]").innerText();
        return { text: `Paid: ${flat(order)}`, ids: { order: trail.orderId } };
      },
    ],
  ];
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
