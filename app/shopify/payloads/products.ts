/** The payload of products/create and products/update, as far as the app reads it. */
import { z } from "zod";
import { parsePayload, payloadId } from "./payload.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const tags = text.transform((value) =>
  value
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean),
);

const product = z
  .object({
    id: payloadId,
    title: text,
    handle: text,
    status: text,
    product_type: text,
    vendor: text,
    tags,
    variants: z.array(z.object({ id: payloadId, price: z.string().regex(/^\d+(?:\.\d+)?$/) })).nullish(),
  })
  .transform(({ product_type, status, variants, ...rest }) => ({
    ...rest,
    /** as the Admin API writes it: `ACTIVE` */
    status: status.toUpperCase(),
    productType: product_type,
    /** Shopify leaves some out where there are many */
    variants: variants ?? [],
  }));
export type ProductPayload = z.infer<typeof product>;

/** @throws UnreadablePayload */
export function parseProductPayload(body: string): ProductPayload {
  return parsePayload(product, body);
}
