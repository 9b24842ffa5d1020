/** The checkout's plans in the form of the cart's rule, for the Function and for the offer under a product. */
import type { Line } from "./storefront-scripts/cart-rules.ts";

/**
 * A mobile app or an agent may add a plan without Parasol's properties. Such a plan belongs to the line that it is
 * nested under. Without nesting and pair it belongs to the line of the variant that it names, as in an order
 * (`findInsuredLines` of app/orders/book/matching.ts).
 */
export function planLine(line: Line, products: Line[]): Line {
  const { properties } = line;
  const pair = properties["_parasol_pair"];
  const isPaired = products.some(
    (product) => product.properties["_parasol_pair"] === pair && pair !== undefined,
  );
  const parent = isPaired
    ? line.parent
    : (line.parent ?? products.find(({ variant }) => variant === properties["_parasol_variant"])?.key);
  const insured = products.find(({ key }) => key === parent)?.variant;
  return {
    ...line,
    parent,
    properties: {
      ...(insured === undefined ? {} : { _parasol_variant: insured }),
      _parasol_reference: "?",
      _parasol_pair: `line ${line.key}`,
      ...properties,
    },
  };
}
