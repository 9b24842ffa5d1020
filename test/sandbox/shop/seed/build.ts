/** Creates a product of the shop from a seed product. */
import { nextId } from "../ids.ts";
import { uniqueHandle, putProduct } from "../products.ts";
import type { Product, ShopState } from "../state.ts";
import { imageUrl } from "./images.ts";
import type { SeedProduct } from "./products.ts";

const isGiftCard = ({ type }: SeedProduct) => type === "Carte cadeau" || type === "Gift card";

/** `createdAt` fixed, so that a seeded shop is the same in every run. */
export function buildProduct(
  state: ShopState,
  seed: SeedProduct,
  createdAt: string,
  handle = uniqueHandle(state, seed.title),
): Product {
  const options = Object.entries(seed.options ?? { Title: { "Default Title": 0 } }).map(([name, values]) => ({
    id: nextId(state, "option"),
    name,
    values: Object.keys(values),
  }));
  const combinations = Object.values(seed.options ?? { Title: { "Default Title": 0 } }).reduce<
    { values: string[]; extra: number }[]
  >(
    (rows, values) =>
      rows.flatMap((row) =>
        Object.entries(values).map(([value, extra]) => ({
          values: [...row.values, value],
          extra: row.extra + extra,
        })),
      ),
    [{ values: [], extra: 0 }],
  );
  const id = nextId(state, "product");
  const product: Product = {
    id,
    handle,
    title: seed.title,
    descriptionHtml: `<p>${seed.text}</p>`,
    vendor: seed.vendor,
    category: null,
    productType: seed.type,
    tags: seed.tags,
    status: "ACTIVE",
    options,
    variants: combinations.map(({ values, extra }, index) => ({
      id: nextId(state, "variant"),
      inventoryItemId: nextId(state, "inventoryItem"),
      title: values.join(" / "),
      optionValues: values,
      sku: `${seed.vendor.slice(0, 3).toUpperCase()}-${id.slice(-6)}-${index + 1}`,
      price: Math.round((seed.price + extra) * 100),
      compareAtPrice: seed.before === undefined ? null : Math.round((seed.before + extra) * 100),
      taxable: !isGiftCard(seed),
      requiresShipping: !isGiftCard(seed),
      tracked: seed.stock !== undefined,
      inventoryPolicy: "DENY",
      inventoryQuantity: seed.stock ?? 0,
      position: index + 1,
    })),
    images: [{ id: nextId(state, "image"), url: imageUrl(seed.type, state.products.size), alt: seed.title }],
    publishedOn: new Set(state.publications.keys()),
    giftCard: isGiftCard(seed),
    createdAt,
    updatedAt: createdAt,
  };
  putProduct(state, product);
  return product;
}
