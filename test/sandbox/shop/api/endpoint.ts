/** `POST /admin/api/2026-10/graphql.json`, staged uploads and the files of bulk operations. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { ServedByNode } from "#test/sandbox/faults.ts";
import type { ShopSandbox } from "../sandbox.ts";
import type { ShopState } from "../state.ts";
import { BulkOperations } from "./bulk.ts";
import { executeOperation } from "./execute.ts";
import { Bucket, VariantThrottle } from "./limits.ts";
import type { ProductSetOperation } from "./product-set.ts";
import { apiVersion } from "./schema.ts";

/** The Admin API's state of one shop. */
export class AdminApi {
  bucket: Bucket;
  /** Shopify's limit of points for a single query or mutation, the same in every plan. */
  maximumCost = 1_000;
  readonly bulk: BulkOperations;
  /** Asynchronous runs of productSet by id. */
  readonly productSets = new Map<string, ProductSetOperation>();
  readonly variantThrottle: VariantThrottle;
  /** The app's version was deployed with its Functions. */
  hasFunctions = true;
  /** Number of calls and their points since the start. */
  readonly usage = { calls: 0, points: 0 };

  constructor(state: ShopState, origin: () => string) {
    this.bucket = new Bucket(state.plan);
    this.bulk = new BulkOperations(state, origin);
    this.variantThrottle = new VariantThrottle(state);
  }
}

const body = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

export function adminApi(shops: ReadonlyMap<string, ShopSandbox>): Hono<ServedByNode> {
  const app = new Hono<ServedByNode>();
  app.post("/admin/api/:version/graphql.json", async (c) => {
    if (c.req.param("version") !== apiVersion) return c.json({ errors: "Not Found" }, 404);
    const named = c.req.header("x-sandbox-shop");
    const token = c.req.header("x-shopify-access-token") ?? "";
    const shop = [...shops.values()].find(({ tokens }) => tokens.find(token) !== null);
    const scopes = shop?.tokens.find(token)?.scopes;
    if (shop === undefined || scopes === undefined || (named !== undefined && named !== shop.shopDomain))
      return c.json({ errors: "[API] Invalid API key or access token" }, 401);
    const operation = /\b(?:query|mutation)\s+(\w+)/.exec(await c.req.text())?.[1] ?? "";
    const work = () => answer(c, shop, scopes);
    return shop.faults.answer(["admin", operation], work, c.env.outgoing);
  });

  app.post("/sandbox-uploads", async (c) => {
    const { key, file } = await c.req.parseBody();
    const shop = [...shops.values()].find(
      ({ state }) => typeof key === "string" && key.startsWith(`tmp/${state.id}/`),
    );
    if (shop === undefined || typeof key !== "string" || !(file instanceof File))
      return c.text("a staged upload needs its parameters and, last, a file", 400);
    shop.api.bulk.files.set(key, await file.text());
    return c.text("", 201);
  });
  app.get("/sandbox-files/:key{.+}", (c) => {
    for (const { api } of shops.values()) {
      const file = api.bulk.files.get(c.req.param("key"));
      if (file !== undefined) return c.body(file, 200, { "content-type": "application/jsonl" });
    }
    return c.text("Not found", 404);
  });
  return app;
}

async function answer(c: Context, shop: ShopSandbox, scopes: string[]): Promise<Response> {
  const parsed = body.safeParse(await c.req.json<unknown>());
  if (!parsed.success) return c.json({ errors: { query: "Required parameter missing or invalid" } }, 400);
  const { query, variables } = parsed.data;
  const { usage } = shop.api;
  usage.calls += 1;
  const result = await executeOperation({ shop, scopes }, query, variables ?? {});
  usage.points += result.extensions?.cost.actualQueryCost ?? 0;
  return c.json(result, 200, { "x-shopify-api-version": apiVersion, "x-request-id": crypto.randomUUID() });
}
