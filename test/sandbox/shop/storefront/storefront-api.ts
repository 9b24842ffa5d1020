/**
 * The Storefront API, as far as carts and the checkout's extension need it: `POST /api/<version>/graphql.json`,
 * validated by the published schema. A schema field without a resolver is null or an error.
 */
import { randomUUID } from "node:crypto";
import { buildClientSchema, execute, getDirectiveValues, getOperationAST, parse, validate } from "graphql";
import type { DocumentNode, GraphQLSchema } from "graphql";
import { type Context, Hono } from "hono";
import { setCookie } from "hono/cookie";
import { z } from "zod";
import { readPublished } from "../api/schema.ts";
import { gid, parseGid } from "../ids.ts";
import { findMetafield, resolveNamespace } from "../metafields.ts";
import { marketPrice } from "../markets.ts";
import { findVariant } from "../products.ts";
import { type Cart, type CartLine, type Market, type Product, propertyText } from "../state.ts";
import { addLines, CartError, lineKey } from "./cart/cart.ts";
import type { NewLine } from "./cart/cart.ts";
import { type Buyer, isPublished } from "./products.ts";
import type { StorefrontSandbox } from "./sandbox.ts";

/** Sells what the online store sells, as the checkout does. Headless storefronts have tokens of their own. */
export const STOREFRONT_TOKEN = "storefront-token";

const versions = ["2026-07", "2026-10"];
const schemas = new Map<string, GraphQLSchema>();

function schemaOf(version: string): GraphQLSchema {
  const schema =
    schemas.get(version) ?? buildClientSchema(readPublished(`storefront-graphql_${version}`).data);
  schemas.set(version, schema);
  return schema;
}

const body = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).optional() });
const lineInputs = z.array(
  z.object({
    merchandiseId: z.string(),
    quantity: z.int().default(1),
    attributes: z.array(z.object({ key: z.string(), value: z.string() })).nullish(),
    parent: z.object({ lineId: z.string().nullish(), merchandiseId: z.string().nullish() }).nullish(),
  }),
);

export function storefrontApi(sandbox: StorefrontSandbox): Hono {
  const app = new Hono();

  app.post("/api/:version/graphql.json", async (c) => {
    const token = c.req.header("x-shopify-storefront-access-token");
    const channel = [...sandbox.state.publications.values()].find(
      ({ storefrontToken }) => storefrontToken !== undefined && storefrontToken === token,
    );
    if (token !== STOREFRONT_TOKEN && !channel)
      return c.json({ errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }] }, 401);
    const version = c.req.param("version");
    if (!versions.includes(version)) return c.json({ errors: "Not Found" }, 404);
    const parsed = body.parse(await c.req.json());
    const schema = schemaOf(version);
    const document = parse(parsed.query);
    const errors = validate(schema, document);
    if (errors.length > 0) return c.json({ errors });
    const market = marketOf(sandbox, contextCountry(schema, document, parsed.variables));
    const rootValue = roots(c, sandbox, { market, channel });
    return c.json(await execute({ schema, document, rootValue, variableValues: parsed.variables }));
  });

  // The cart's `checkoutUrl`: opening it continues with that cart.
  app.get("/cart/c/:token", (c) => {
    const token = c.req.param("token");
    if (!sandbox.state.carts.has(token)) return c.text("Not found", 404);
    setCookie(c, "cart", token, { path: "/", httpOnly: true, sameSite: "Lax" });
    return c.redirect("/checkout", 302);
  });
  return app;
}

/** The country of a query's `@inContext`; undefined: none. */
function contextCountry(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown> | undefined,
): unknown {
  const directive = schema.getDirective("inContext");
  const operation = getOperationAST(document);
  if (directive == null || operation == null) return undefined;
  return getDirectiveValues(directive, operation, variables)?.["country"];
}

function marketOf({ state }: StorefrontSandbox, country: unknown): Market | undefined {
  return state.markets.find(
    ({ active, countries = [] }) => active && countries.some((code) => code === country),
  );
}

/** A product that the buyer can see, with its public metafields only. */
function productView(
  { state, app }: StorefrontSandbox,
  buyer: Buyer,
  product: Product | undefined,
): object | null {
  if (product === undefined || !isPublished(state, product, buyer)) return null;
  return {
    __typename: "Product",
    id: gid("Product", product.id),
    title: product.title,
    featuredImage: product.images[0] === undefined ? null : { url: product.images[0].url },
    isGiftCard: product.productType === "Carte cadeau",
    metafield: ({ namespace, key }: { namespace?: string; key: string }) => {
      const found = findMetafield(state, gid("Product", product.id), namespace, key);
      const isPublic = found?.namespace === resolveNamespace("$app") && app.publicProductMetafields.has(key);
      return isPublic ? { value: found.value } : null;
    },
  };
}

function variantView(sandbox: StorefrontSandbox, buyer: Buyer, id: string | undefined): object | null {
  const found = findVariant(sandbox.state, id ?? "");
  const product = found && productView(sandbox, buyer, found.product);
  if (!product) return null;
  const { variant } = found;
  return {
    __typename: "ProductVariant",
    id: gid("ProductVariant", variant.id),
    // In the shop's currency: the stand-in's Storefront API converts none.
    price: {
      amount: (marketPrice(buyer.market, variant) / 100).toFixed(2),
      currencyCode: sandbox.state.currency,
    },
    product,
  };
}

function roots(c: Context, sandbox: StorefrontSandbox, buyer: Buyer) {
  const { state } = sandbox;
  const { origin } = new URL(c.req.url);
  const view = (cart: Cart) => cartView(cart, origin);
  const add = (cart: Cart, lines: unknown) => {
    try {
      addLines(state, cart, newLines(cart, lines), buyer);
      state.carts.set(cart.token, cart);
      return { cart: view(cart), userErrors: [], warnings: [] };
    } catch (error) {
      if (!(error instanceof CartError)) throw error;
      const problem = { code: "INVALID", field: ["lines"], message: error.message };
      return { cart: null, userErrors: [problem], warnings: [] };
    }
  };
  const find = (id: string) => state.carts.get(parseGid(id)?.id ?? "");
  return {
    product: ({ id }: { id?: string }) =>
      productView(sandbox, buyer, state.products.get(parseGid(id ?? "")?.id ?? "")),
    node: ({ id }: { id: string }) => variantView(sandbox, buyer, parseGid(id)?.id),
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => variantView(sandbox, buyer, parseGid(id)?.id)),
    cart: ({ id }: { id: string }) => {
      const cart = find(id);
      return cart === undefined ? null : view(cart);
    },
    cartCreate: ({ input }: { input?: { lines?: unknown } }) => {
      const cart: Cart = { token: randomUUID().replaceAll("-", ""), note: "", attributes: {}, lines: [] };
      return add(cart, input?.lines ?? []);
    },
    cartLinesAdd: ({ cartId, lines }: { cartId: string; lines: unknown }) => {
      const cart = find(cartId);
      if (cart !== undefined) return add(cart, lines);
      const problem = { code: "INVALID", field: ["cartId"], message: "The specified cart does not exist." };
      return { cart: null, userErrors: [problem], warnings: [] };
    },
  };
}

function newLines(cart: Cart, lines: unknown): NewLine[] {
  return lineInputs.parse(lines).map(({ merchandiseId, quantity, attributes, parent }): NewLine => {
    const parentLine = cart.lines.find(({ id }) => gid("CartLine", id) === parent?.lineId);
    if (parent?.lineId != null && parentLine === undefined)
      throw new CartError(422, "The parent line does not exist.");
    return {
      variantId: parseGid(merchandiseId)?.id ?? "",
      quantity,
      properties: Object.fromEntries((attributes ?? []).map(({ key, value }) => [key, value])),
      parentVariantId: parent?.merchandiseId == null ? null : (parseGid(parent.merchandiseId)?.id ?? ""),
      parentLineKey: parentLine === undefined ? null : lineKey(parentLine),
    };
  });
}

function cartView(cart: Cart, origin: string) {
  return {
    id: gid("Cart", cart.token),
    checkoutUrl: `${origin}/cart/c/${cart.token}`,
    totalQuantity: cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    lines: ({ first }: { first?: number }) => ({
      nodes: cart.lines.slice(0, first ?? 250).map((line) => lineView(cart, line)),
    }),
  };
}

function lineView(cart: Cart, line: CartLine): object {
  const parent = cart.lines.find(({ id }) => id === line.parentLineId);
  return {
    __typename: "CartLine",
    id: gid("CartLine", line.id),
    quantity: line.quantity,
    attributes: Object.entries(line.properties).map(([key, value]) => ({ key, value: propertyText(value) })),
    merchandise: { __typename: "ProductVariant", id: gid("ProductVariant", line.variantId) },
    parentRelationship: parent === undefined ? null : { parent: () => lineView(cart, parent) },
  };
}
