/** The shop's rules for carts and checkouts: Functions of the app that the merchant or the app has activated. */
import {
  buildClientSchema,
  coerceInputValue,
  type DocumentNode,
  execute,
  type GraphQLSchema,
  isInputType,
  parse,
  validate,
  visit as visitNodes,
} from "graphql";
import { z } from "zod";
import { readPublished } from "../api/schema.ts";
import { gid, nextId } from "../ids.ts";
import { findMetafield } from "../metafields.ts";
import { minorDigits } from "../../../../extensions/currency-digits.ts";
import { findVariant } from "../products.ts";
import type { ShopSandbox } from "../sandbox.ts";
import { type CartLine, propertyText } from "../state.ts";
import { variantPrice } from "../storefront/visit.ts";
import type { Visit } from "../storefront/visit.ts";
import { readFunctions } from "./function-file.ts";
import type { FunctionFile } from "./function-file.ts";

const TARGET = "cart.validations.generate.run";
/** Shopify's limits of a Function: the size of a metafield, and of its query. */
const MOST_METAFIELD_BYTES = 10_000;
const MOST_QUERY_BYTES = 3_000;
const MOST_QUERY_COST = 30;

export type Step = "CART_INTERACTION" | "CHECKOUT_INTERACTION" | "CHECKOUT_COMPLETION";

/** The app's Functions that can be rules. */
export const cartValidations = (): FunctionFile[] =>
  readFunctions().filter(({ target }) => target === TARGET);

/** As the merchant does in the checkout settings. */
export function turnOnCartRule({ state, apiKey }: Pick<ShopSandbox, "state" | "apiKey">): void {
  const [{ handle } = { handle: "" }] = cartValidations();
  state.validations.push({
    id: nextId(state, "validation"),
    title: handle,
    appKey: apiKey,
    functionHandle: handle,
    enabled: true,
    blockOnFailure: false,
  });
}

const schemas = new Map<string, GraphQLSchema>();

function schemaOf({ apiVersion }: FunctionFile): GraphQLSchema {
  const known = schemas.get(apiVersion);
  if (known !== undefined) return known;
  const schema = buildClientSchema(readPublished(`functions_cart_checkout_validation_${apiVersion}`).data);
  schemas.set(apiVersion, schema);
  return schema;
}

/** The delivery address, once the buyer has entered it. */
type Delivery = { country_code: string; zip: string } | null;

/** The errors of the active rules for a cart, in their order; empty: the buyer continues. */
export async function checkCart(visit: Visit, step: Step, delivery: Delivery = null): Promise<string[]> {
  const messages: string[] = [];
  const { state, apiKey } = visit.sandbox;
  for (const { appKey, functionHandle, enabled } of state.validations) {
    // The stand-in has no Functions of other apps.
    if (!enabled || appKey !== apiKey) continue;
    const file = cartValidations().find(({ handle }) => handle === functionHandle);
    if (file !== undefined) messages.push(...(await runRule(file, inputOf(visit, step, delivery))));
  }
  return messages;
}

const output = z.object({
  operations: z.array(
    z.object({
      validationAdd: z
        .object({ errors: z.array(z.object({ message: z.string(), target: z.string() })) })
        .nullish(),
    }),
  ),
});

/** Shopify's cost: 3 for a metafield's field and for questions about tags and collections; 1 for other leaves. */
function costOf(document: DocumentNode): number {
  const parents: string[] = [];
  let cost = 0;
  visitNodes(document, {
    Field: {
      enter({ name: { value: name }, selectionSet }) {
        const isDear = parents.at(-1) === "metafield" || /^(has|in)Any/.test(name);
        if (selectionSet === undefined && name !== "__typename") cost += isDear ? 3 : 1;
        parents.push(name);
      },
      leave() {
        parents.pop();
      },
    },
  });
  return cost;
}

/** Runs the Function's own query, with the published schema's fields only. */
export async function runRule(file: FunctionFile, rootValue: object): Promise<string[]> {
  const schema = schemaOf(file);
  const document = parse(file.inputQuery);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new Error(`The input query of ${file.handle}: ${errors.join("; ")}`);
  if (Buffer.byteLength(file.inputQuery) > MOST_QUERY_BYTES)
    throw new Error(`The input query of ${file.handle} is longer than ${MOST_QUERY_BYTES} bytes`);
  const cost = costOf(document);
  if (cost > MOST_QUERY_COST)
    throw new Error(`The input query of ${file.handle} costs ${cost}, more than ${MOST_QUERY_COST}`);
  const requested = await execute({ schema, document, rootValue });
  if (requested.errors !== undefined)
    throw new Error(`The input of ${file.handle}: ${requested.errors.join("; ")}`);
  const written = await file.run(requested.data);
  const type = schema.getType("CartValidationsGenerateRunResult");
  if (!isInputType(type)) throw new Error("The published schema has no result for this target");
  coerceInputValue(written, type, (path, value, error) => {
    throw new Error(`The output of ${file.handle} at ${path.join(".")}: ${error.message}`);
  });
  return output
    .parse(written)
    .operations.flatMap(({ validationAdd }) => validationAdd?.errors.map(({ message }) => message) ?? []);
}

/** The stand-in's part of the schema's input; a query of another field is an error. */
function inputOf(visit: Visit, step: Step, delivery: Delivery): object {
  const { lines } = visit.cart;
  return {
    buyerJourney: { step },
    shop: { metafield: readMetafield(visit, gid("Shop", visit.sandbox.state.id)) },
    localization: { language: { isoCode: visit.locale.toUpperCase() } },
    cart: {
      buyerIdentity: {
        purchasingCompany: visit.isCompany ? { company: { id: gid("Company", "1") } } : null,
      },
      deliveryGroups: delivery === null ? [] : [{ deliveryAddress: addressOf(delivery) }],
      lines: lines.map((line) => lineOf(visit, lines, line)),
    },
  };
}

const addressOf = ({ country_code, zip }: NonNullable<Delivery>) => ({ countryCode: country_code, zip });

function lineOf(visit: Visit, lines: readonly CartLine[], line: CartLine): object {
  const { state } = visit.sandbox;
  const found = findVariant(state, line.variantId);
  if (found === undefined) throw new Error(`The cart holds a variant that is gone: ${line.variantId}`);
  const { product, variant } = found;
  const parent = lines.find(({ id }) => id === line.parentLineId);
  const owner = gid("ProductVariant", variant.id);
  return {
    id: gid("CartLine", line.id),
    quantity: line.quantity,
    cost: { amountPerQuantity: money(visit, variantPrice(visit, variant)) },
    attribute: ({ key }: { key: string }) =>
      line.properties[key] === undefined ? null : { key, value: propertyText(line.properties[key]) },
    parentRelationship: parent === undefined ? null : { parent: () => lineOf(visit, lines, parent) },
    merchandise: {
      __typename: "ProductVariant",
      id: owner,
      sku: variant.sku,
      metafield: readMetafield(visit, owner),
      product: {
        title: product.title,
        isGiftCard: product.giftCard ?? false,
        metafield: readMetafield(visit, gid("Product", product.id)),
      },
    },
  };
}

/** A metafield of this owner, in a Function's format. */
const readMetafield =
  ({ sandbox }: Visit, owner: string) =>
  ({ namespace, key }: { namespace?: string | null; key: string }) => {
    const metafield = findMetafield(sandbox.state, owner, namespace, key);
    if (metafield === undefined || Buffer.byteLength(metafield.value) > MOST_METAFIELD_BYTES) return null;
    const { type, value } = metafield;
    return { type, value, jsonValue: () => (type === "json" ? (JSON.parse(value) as unknown) : value) };
  };

/** Decimals in Shopify's format: `599.0`, and complete with cents. */
function money(visit: Visit, price: number): object {
  const digits = minorDigits(visit.currency);
  const amount = (price / 10 ** digits).toFixed(digits).replace(/(\.\d)0$/, "$1");
  return { amount, currencyCode: visit.currency };
}
