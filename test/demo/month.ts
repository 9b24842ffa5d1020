/** A month of orders in the demo's shop, through the front door: Shopify's webhooks, the app, the insurer. */
import { z } from "zod";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE, TOUCHPOINT } from "#app/shopify/line-properties.ts";
import { eventually } from "#test/eventually.ts";
import { customer } from "#test/orders/references.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { Product, ShopState, Variant } from "#test/sandbox/shop/state.ts";
import type { Stage } from "./stage.ts";

/** What the stand-in of the insurer says of its references. */
const insurerCatalogue = z.object({
  references: z.array(
    z.object({
      reference_id: z.string(),
      category_id: z.string(),
      term: z.int(),
      price_band_min: z.int(),
      price_band_max: z.int(),
    }),
  ),
});
type Reference = z.infer<typeof insurerCatalogue>["references"][number];

/** Kinds of products, in both languages, and the start of their category's name. */
const kinds = [
  { types: ["Smartphone"], category: /^Smartphone/ },
  { types: ["Ordinateur portable", "Laptop"], category: /^(Informatique|Computing)/ },
  { types: ["Tablette", "Tablet"], category: /^(Informatique|Computing)/ },
  { types: ["Appareil photo", "Camera"], category: /^Photo/ },
];

const people =
  "Léa Moreau, Hugo Bernard, Inès Petit, Noé Lambert, Jade Roux, Adam Girard, Zoé Fontaine, Louis Faure, Alice Colin, Nina Brun, Paul Mercier, Eva Garnier, Tom Blanc, Lina Robin, Théo Marchand"
    .split(", ")
    .map((name) => name.split(" "));

/** Four orders every third day; the share of insured ones grows from a quarter to three quarters. */
const orders = Array.from({ length: 40 }, (_, index) => ({
  days: 27 - 3 * Math.floor(index / 4),
  isInsured: index % 4 < 1 + Math.floor(index / 16) || index % 11 === 3,
}));

const isInStock = ({ tracked, inventoryQuantity }: Variant) => !tracked || inventoryQuantity > 0;

/** The insurer bills one contract dearer than it was sold, so that the settlement of the month finds a difference. */
function raisePrice({ insurance }: Stage): void {
  const plan = insurance.plans("test").at(-1);
  if (plan) plan.price += 250;
}

/** @returns the number of orders, and of those with insurance; all have their contracts */
export async function sellForAMonth(stage: Stage): Promise<{ orders: number; insured: number }> {
  const {
    shop: { state },
    insurance,
  } = stage;
  const { references } = insurerCatalogue.parse(
    await (await fetch(`${insurance.control_url}/catalogue`)).json(),
  );
  const insured = orders.flatMap((order, index) => {
    const { id, plan } = sell(state, references, { ...order, index });
    return plan === null ? [] : [id];
  });
  await eventually(() => {
    const done = new Set(insurance.plans("test").map((plan) => plan.order_reference_id));
    return insured.every((id) => done.has(id));
  }, "the contracts of the month's orders");
  raisePrice(stage);
  return { orders: orders.length, insured: insured.length };
}

interface Sale {
  days: number;
  isInsured: boolean;
  index: number;
}

function sell(
  state: ShopState,
  references: Reference[],
  { days, isInsured, index }: Sale,
): { id: string; plan: string | null } {
  const kind = kinds[index % kinds.length];
  const [firstName = "", lastName = ""] = people[index % people.length] ?? [];
  const products = [...state.products.values()].filter(
    ({ productType, status }) => status === "ACTIVE" && kind?.types.includes(productType) === true,
  );
  const variant = products[index % products.length]?.variants.find((each) => isInStock(each));
  if (variant === undefined || kind === undefined) throw new Error("The demo shop has nothing to sell");
  const reference = isInsured
    ? references.find(
        (each) =>
          kind.category.test(each.category_id) &&
          each.term === [12, 24, 24, 36][index % 4] &&
          planVariant(state, each.reference_id) !== null &&
          each.price_band_min <= variant.price &&
          variant.price <= each.price_band_max,
      )
    : undefined;
  const plan = reference === undefined ? null : planVariant(state, reference.reference_id);
  const createdAt = new Date(Date.now() - days * 86_400_000 - (index % 9) * 3_600_000).toISOString();
  const pair = { name: PAIR, value: `m${index}` };
  const { id } = createPaidOrder(state, {
    email: `${firstName}.${lastName}@example.com`
      .toLowerCase()
      .normalize("NFD")
      .replace(/[^a-z.@]/g, ""),
    billingAddress: { ...customer, first_name: firstName, last_name: lastName },
    createdAt,
    lines: [
      { variantId: variant.id, quantity: 1, properties: [pair] },
      ...(plan === null || reference === undefined
        ? []
        : [
            {
              variantId: plan,
              quantity: 1,
              properties: [
                pair,
                { name: INSURED_VARIANT, value: variant.id },
                { name: REFERENCE, value: reference.reference_id },
                { name: TOUCHPOINT, value: ["product_page", "cart", "mini_cart"][index % 3] ?? "cart" },
                { name: CONSENT, value: `1 ${createdAt}` },
              ],
            },
          ]),
    ],
  });
  return { id, plan };
}

/** The variant that sells a reference; null: it is not on sale. */
function planVariant({ products }: ShopState, reference: string): string | null {
  const plans: Product[] = [...products.values()].filter(({ status }) => status === "UNLISTED");
  return plans.flatMap(({ variants }) => variants).find(({ sku }) => sku === reference)?.id ?? null;
}
