/** Products, variants, collections and sales channels in the Admin API, and how a product is published. */
import type {
  MutationProductVariantsBulkUpdateArgs,
  MutationPublishablePublishArgs,
} from "#app/shopify/types/admin.types.d.ts";
import { emitShopEvent } from "../events.ts";
import { gid, parseGid } from "../ids.ts";
import { minorDigits } from "../../../../extensions/currency-digits.ts";
import { minorUnits, money } from "../money.ts";
import { findVariant, putProduct } from "../products.ts";
import type { Product, Publication, ShopState, Variant } from "../state.ts";
import { isPublished } from "../storefront/products.ts";
import { metafieldProblem, writeMetafields } from "./metafields.ts";
import { requireId, requireKnown, typed, userError } from "./resolver.ts";
import type { Call, Resolvers, UserError } from "./resolver.ts";
import { search } from "./search.ts";
import type { SearchFields } from "./search.ts";

const productFields: SearchFields<Product> = {
  id: ({ id }) => id,
  title: ({ title }) => title,
  handle: ({ handle }) => handle,
  product_type: ({ productType }) => productType,
  vendor: ({ vendor }) => vendor,
  tag: ({ tags }) => tags,
  status: ({ status }) => status,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
};

const productsOf = (_: unknown, { query }: { query?: string | null }, { shop }: Call): Product[] =>
  search(shop.state.products.values(), query, productFields);

const variantOf = ({ state }: Call["shop"], id: string): Variant | null =>
  findVariant(state, id)?.variant ?? null;

export const productTypes: Resolvers = {
  QueryRoot: {
    product: (_, { id }: { id: string }, { shop }) =>
      shop.state.products.get(requireId("Product", id)) ?? null,
    products: productsOf,
    productsCount: (...query: Parameters<typeof productsOf>) => productsOf(...query).length,
    productVariant: (_, { id }: { id: string }, { shop }) => variantOf(shop, requireId("ProductVariant", id)),
    publications: (_, { catalogType }: { catalogType?: string | null }, { shop }) =>
      [...shop.state.publications.values()].filter(
        (publication) => catalogType == null || catalogTypeOf(publication) === catalogType,
      ),
  },
  Product: {
    isGiftCard: ({ giftCard }: Product) => giftCard === true,
    hasVariantsThatRequiresComponents: ({ requiresComponents }: Product) => requiresComponents === true,
    tracksInventory: ({ variants }: Product) => variants.some(({ tracked }) => tracked),
    totalInventory: ({ variants }: Product) =>
      variants.reduce((sum, variant) => sum + (variant.tracked ? variant.inventoryQuantity : 0), 0),
    onlineStoreUrl: (product: Product, _, { shop }) =>
      isPublished(shop.state, product) ? `${shop.origin}/products/${product.handle}` : null,
    collections: ({ id }: Product, _, { shop }) =>
      [...shop.state.collections.values()].filter(({ productIds }) => productIds.includes(id)),
    publishedOnPublication: ({ publishedOn }: Product, { publicationId }: { publicationId: string }) =>
      publishedOn.has(requireId("Publication", publicationId)),
    resourcePublicationsV2: (
      { publishedOn }: Product,
      { catalogType }: { catalogType?: string | null },
      { shop },
    ) =>
      [...shop.state.publications.values()]
        .filter((publication) => publishedOn.has(publication.id))
        .filter((publication) => catalogTypeOf(publication) === (catalogType ?? "APP"))
        .map((publication) => ({ id: publication.id, isPublished: true, publication })),
  },
  ProductVariant: {
    price: ({ price }: Variant, _, { shop }) => money(price, shop.state.currency),
    availableForSale: ({ tracked, inventoryPolicy, inventoryQuantity }: Variant) =>
      !tracked || inventoryPolicy === "CONTINUE" || inventoryQuantity > 0,
    inventoryItem: (variant: Variant) => ({ ...variant, id: variant.inventoryItemId }),
    product: ({ id }: Variant, _, { shop }) => findVariant(shop.state, id)?.product,
    selectedOptions: ({ id, optionValues }: Variant, _, { shop }) =>
      findVariant(shop.state, id)?.product.options.map(({ name }, index) => ({
        name,
        value: optionValues[index] ?? "",
      })),
  },
  Publication: {
    catalog: (publication: Publication) => {
      const { id, name: title, appHandle: handle, catalogue } = publication;
      const common = { id, title, status: "ACTIVE" };
      if (!catalogue) return typed("AppCatalog", { ...common, apps: [{ id, handle, title }] });
      return catalogue.type === "MARKET"
        ? typed("MarketCatalog", { ...common, markets: catalogue.marketIds.map((each) => ({ id: each })) })
        : typed("CompanyLocationCatalog", common);
    },
  },
  Mutation: {
    publishablePublish: (_, args: MutationPublishablePublishArgs, call) => setPublished(call, args, true),
    publishableUnpublish: (_, args: MutationPublishablePublishArgs, call) => setPublished(call, args, false),
    productVariantsBulkUpdate: (_, args: MutationProductVariantsBulkUpdateArgs, call) =>
      updateVariants(call, args),
  },
};

const catalogTypeOf = ({ catalogue }: Publication): string => catalogue?.type ?? "APP";

function setPublished({ shop: { state } }: Call, { id, input }: MutationPublishablePublishArgs, on: boolean) {
  const product = state.products.get(parseGid(id)?.id ?? "");
  const channels = input.map(({ publicationId }) => parseGid(publicationId ?? "")?.id ?? "");
  const isAccepted = (channel: string) => {
    const publication = state.publications.get(channel);
    return publication !== undefined && !(on && publication.refuses === true);
  };
  const userErrors = channels.flatMap((channel, index) =>
    isAccepted(channel)
      ? []
      : [
          {
            field: ["input", `${index}`, "publicationId"],
            message: "Publication does not exist or is not publishable",
          },
        ],
  );
  if (product === undefined) userErrors.push({ field: ["id"], message: "Resource does not exist" });
  if (product !== undefined && userErrors.length === 0)
    for (const channel of channels)
      if (on) product.publishedOn.add(channel);
      else product.publishedOn.delete(channel);
  return { userErrors };
}

/** New values for some variants of one product, all or none; the others stay as they are. */
function updateVariants(
  call: Call,
  { productId, variants, ...others }: MutationProductVariantsBulkUpdateArgs,
) {
  requireKnown("productVariantsBulkUpdate", others, []);
  const known = ["id", "price", "taxable", "inventoryPolicy", "inventoryItem", "metafields"];
  for (const each of variants) requireKnown("ProductVariantsBulkInput", each, known);
  const { state } = call.shop;
  const product = state.products.get(parseGid(productId)?.id ?? "");
  if (product === undefined)
    return { userErrors: [userError("PRODUCT_DOES_NOT_EXIST", ["productId"], "Product does not exist")] };
  const userErrors = variants.flatMap(({ id, price, metafields }, index): UserError[] => {
    const field = (...names: string[]) => ["variants", `${index}`, ...names];
    if (!product.variants.some((each) => gid("ProductVariant", each.id) === id))
      return [userError("PRODUCT_VARIANT_DOES_NOT_EXIST", field("id"), "Product variant does not exist")];
    if (Number(price ?? 0) < 0)
      return [
        userError("GREATER_THAN_OR_EQUAL_TO", field("price"), "Price must be greater than or equal to 0"),
      ];
    return (metafields ?? []).flatMap((each, at) => {
      const problem = metafieldProblem(call, { ...each, ownerId: id ?? "" });
      if (problem === null) return [];
      return [userError("INVALID_VALUE", field("metafields", `${at}`, problem.field), problem.message)];
    });
  });
  if (userErrors.length > 0) return { userErrors };
  const changed: Product = {
    ...product,
    variants: product.variants.map((variant) => {
      const given = variants.find(({ id }) => id === gid("ProductVariant", variant.id));
      return given === undefined ? variant : { ...variant, ...variantValues(state, variant, given) };
    }),
    updatedAt: new Date().toISOString(),
  };
  putProduct(state, changed);
  for (const { id, metafields } of variants)
    writeMetafields(call, metafields?.map((each) => ({ ...each, ownerId: id ?? "" })) ?? []);
  emitShopEvent(state, { topic: "products/update", product: changed });
  return { userErrors };
}

type VariantInput = MutationProductVariantsBulkUpdateArgs["variants"][number];

/** The changed fields of a variant; a missing value changes nothing. */
export function variantValues(
  { currency }: ShopState,
  variant: Variant,
  input: Pick<VariantInput, "price" | "taxable" | "inventoryPolicy" | "inventoryItem">,
): Partial<Variant> {
  const item = input.inventoryItem ?? {};
  requireKnown("inventoryItem", item, ["sku", "tracked", "requiresShipping"]);
  return {
    price:
      input.price == null
        ? variant.price
        : minorUnits(Number(input.price).toFixed(minorDigits(currency)), currency),
    taxable: input.taxable ?? variant.taxable,
    inventoryPolicy: input.inventoryPolicy ?? variant.inventoryPolicy,
    sku: item.sku ?? variant.sku,
    tracked: item.tracked ?? variant.tracked,
    requiresShipping: item.requiresShipping ?? variant.requiresShipping,
  };
}
