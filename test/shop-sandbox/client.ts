/** Shared by the tests of the shop stand-in: a running one, and a client that queries it as an app would. */
import { afterAll } from "vitest";
import { z } from "zod";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import { startShop } from "#test/sandbox/shop/server.ts";
import type { StartOptions } from "#test/sandbox/shop/server.ts";

export const apiKey = "0123456789abcdef0123456789abcdef";
export const apiSecret = "a-secret-of-the-tests";

const answer = z.object({
  data: z.unknown().optional(),
  errors: z
    .union([
      z.string(),
      z.array(
        z.object({
          message: z.string(),
          path: z.array(z.union([z.string(), z.number()])).optional(),
          extensions: z.record(z.string(), z.unknown()).optional(),
        }),
      ),
    ])
    .optional(),
  extensions: z
    .object({
      cost: z.object({
        requestedQueryCost: z.number(),
        actualQueryCost: z.number().nullable(),
        throttleStatus: z.object({
          maximumAvailable: z.number(),
          currentlyAvailable: z.number(),
          restoreRate: z.number(),
        }),
      }),
    })
    .optional(),
});
export type Answer = z.infer<typeof answer> & { status: number };

/** An installed shop, closed when the test file ends. */
export async function openShop(options: Partial<StartOptions> = {}): Promise<ShopSandbox> {
  const shop = await startShop({ apiKey, apiSecret, ...options });
  for (const each of shop.shops.values()) each.install();
  afterAll(() => shop.close());
  return shop;
}

/** One call of the Admin API with an offline token of the shop. */
export async function admin(
  shop: ShopSandbox,
  query: string,
  variables: Record<string, unknown> = {},
  { version = "2026-10", token = offlineToken(shop) }: { version?: string; token?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${serverOrigin(shop)}/admin/api/${version}/graphql.json`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-access-token": token },
    body: JSON.stringify({ query, variables }),
  });
  return { ...answer.parse(await response.json()), status: response.status };
}

/** The data of a call that must succeed, parsed by a schema. */
export async function data<T>(
  shop: ShopSandbox,
  schema: z.ZodType<T>,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<T> {
  const { data: found, errors } = await admin(shop, query, variables);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return schema.parse(found);
}

/** The codes of the errors of an answer. */
export function codes({ errors }: Answer): unknown[] {
  return typeof errors === "object" ? errors.map(({ extensions }) => extensions?.["code"]) : [];
}

export function messages({ errors }: Answer): string[] {
  return typeof errors === "object"
    ? errors.map(({ message }) => message)
    : errors === undefined
      ? []
      : [errors];
}

export function offlineToken(shop: ShopSandbox): string {
  return shop.tokens.offline(shop.state.installation?.scopes ?? []).token;
}

/** Node does not resolve the host names of further shops; all shops share one server. */
function serverOrigin(shop: ShopSandbox): string {
  return new URL(shop.adminUrl).origin;
}

/** The n-th product of the shop. */
export function product(shop: ShopSandbox, index = 0) {
  const found = [...shop.state.products.values()][index];
  if (found === undefined) throw new Error(`the shop has no product ${index}`);
  return found;
}
