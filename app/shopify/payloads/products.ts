/** The fields of the payloads of products that the app reads. products/delete has no more than the id. */
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
    has_variants_that_requires_components: z.boolean().nullish(),
    variants: z.array(z.object({ id: payloadId, price: z.string().regex(/^\d+(?:\.\d+)?$/) })).nullish(),
  })
  .transform(({ product_type, status, variants, has_variants_that_requires_components, ...rest }) => ({
    ...rest,
    /** in the Admin API's format: `ACTIVE` */
    status: status.toUpperCase(),
    productType: product_type,
    /** null: the webhook does not say */
    isBundle: has_variants_that_requires_components ?? null,
    /** Shopify omits some if there are many */
    variants: variants ?? [],
  }));
export type ProductPayload = z.infer<typeof product>;

/** @throws UnreadablePayload */
export function parseProductPayload(body: string): ProductPayload {
  return parsePayload(product, body);
}
