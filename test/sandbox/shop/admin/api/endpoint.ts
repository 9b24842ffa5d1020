/** `POST /admin/api/2026-10/graphql.json`, staged uploads and the files of bulk operations. */
import { setTimeout as wait } from "node:timers/promises";
import { Hono } from "hono";
import { z } from "zod";
import type { AccessToken } from "../../auth/tokens.ts";
import type { ShopSandbox } from "../../sandbox.ts";
import { BulkOperations } from "./bulk-operations.ts";
import { executeOperation } from "./execute.ts";
import type { ProductSetOperations } from "./product-set.ts";
import { createReader } from "./reader-of.ts";
import { createRoots } from "./roots.ts";
import { apiVersion } from "./schema.ts";
import { Bucket } from "./throttle.ts";
import { VariantThrottle } from "./variant-throttle.ts";

/** What the Admin API keeps of one shop. */
export interface AdminApi {
  bucket: Bucket;
  bulk: BulkOperations;
  productSets: ProductSetOperations;
  variantThrottle: VariantThrottle;
  /** Calls and the points they cost, since the start. */
  usage: { calls: number; points: number };
}

export function adminApiOf(shop: Pick<ShopSandbox, "state" | "origin">): AdminApi {
  return {
    bucket: new Bucket(shop.state.plan),
    bulk: new BulkOperations(shop.state, () => shop.origin),
    productSets: new Map(),
    variantThrottle: new VariantThrottle(shop.state),
    usage: { calls: 0, points: 0 },
  };
}

const body = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});
const badToken = { errors: "[API] Invalid API key or access token (unrecognized login or wrong password)" };

export function adminApi(shops: ReadonlyMap<string, ShopSandbox>): Hono {
  const shopOf = (token: string): { shop: ShopSandbox; access: AccessToken } | null => {
    for (const shop of shops.values()) {
      const access = shop.tokens.find(token);
      if (access !== null) return { shop, access };
    }
    return null;
  };

  const app = new Hono();
  app.post("/admin/api/:version/graphql.json", async (c) => {
    if (c.req.param("version") !== apiVersion) return c.json({ errors: "Not Found" }, 404);
    const found = shopOf(c.req.header("x-shopify-access-token") ?? "");
    const named = c.req.header("x-sandbox-shop");
    if (found === null || (named !== undefined && named !== found.shop.shopDomain))
      return c.json(badToken, 401);
    const { shop, access } = found;
    const { faults, api } = shop;
    if (faults.latencyMs > 0) await wait(faults.latencyMs);
    const { operation = "" } = faults.failNext ?? {};
    if (faults.failNext !== null && faults.failNext.times > 0 && (await c.req.text()).includes(operation)) {
      faults.failNext.times -= 1;
      const { status } = faults.failNext;
      const errors =
        status === 429
          ? "Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service."
          : "Internal Server Error";
      return Response.json({ errors }, { status, headers: status === 429 ? { "retry-after": "2.0" } : {} });
    }
    const parsed = body.safeParse(await c.req.json<unknown>());
    if (!parsed.success) return c.json({ errors: { query: "Required parameter missing or invalid" } }, 400);
    const read = createReader({
      shop,
      scopes: access.scopes,
      bulk: api.bulk,
      productSets: api.productSets,
      bucket: api.bucket,
    });
    api.usage.calls += 1;
    const isThrottled = faults.throttleEvery !== null && api.usage.calls % faults.throttleEvery === 0;
    const answer = await executeOperation(
      {
        scopes: access.scopes,
        roots: createRoots(read),
        bulk: false,
        bucket: api.bucket,
        maximumCost: faults.maximumCost ?? undefined,
        throttled: isThrottled,
      },
      parsed.data.query,
      parsed.data.variables ?? {},
      parsed.data.operationName ?? null,
    );
    api.usage.points += answer.extensions?.cost.actualQueryCost ?? 0;
    return c.json(answer, 200, { "x-shopify-api-version": apiVersion, "x-request-id": crypto.randomUUID() });
  });

  app.post("/sandbox-uploads", async (c) => {
    const form = await c.req.parseBody();
    const { key, file } = form;
    const shop = [...shops.values()].find(
      ({ state }) => typeof key === "string" && key.startsWith(`tmp/${state.id}/`),
    );
    if (shop === undefined || typeof key !== "string" || !(file instanceof File))
      return c.text("a staged upload needs its parameters and, last, a file", 400);
    shop.api.bulk.files.set(key, await file.text());
    return c.text(
      `<?xml version="1.0" encoding="UTF-8"?><PostResponse><Key>${key}</Key></PostResponse>`,
      201,
      { "content-type": "application/xml" },
    );
  });
  app.get("/sandbox-files/:key{.+}", (c) => {
    for (const shop of shops.values()) {
      const file = shop.api.bulk.files.get(c.req.param("key"));
      if (file !== undefined) return c.body(file, 200, { "content-type": "application/jsonl" });
    }
    return c.text("Not found", 404);
  });
  return app;
}
