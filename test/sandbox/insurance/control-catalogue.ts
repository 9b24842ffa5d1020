/** The control address's part on catalogues: references and categories of a store are changed, added and removed. */
import { Hono } from "hono";
import { z } from "zod";
import type { Service } from "./api.ts";
import { category } from "./schema.ts";
import type { Store } from "./records.ts";
import { allStores } from "./service-state.ts";

const reference = z.object({
  reference_id: z.string().min(1),
  contract_id: z.string(),
  category_id: z.string(),
  title: z.string(),
  term: z.int().positive(),
  price: z.int().nonnegative(),
  currency_code: z.string(),
  price_band_min: z.int(),
  price_band_max: z.int(),
  billing: z.enum(["monthly", "annually"]),
  product_reference_ids: z.array(z.string()).nullable(),
});

/** The catalogue of a store: `?store_id=`, the first store without it. */
export function catalogueRoutes(service: Service): Hono {
  const app = new Hono();
  app.get("/catalogue", (c) => {
    const store = storeOf(service, c.req.query("store_id"));
    if (!store) return c.json({ error: "No such store" }, 404);
    const { categories, references } = store.catalogue;
    return c.json({ categories: [...categories.values()], references: [...references.values()] });
  });
  app.put("/catalogue/references/:reference", async (c) => {
    const references = storeOf(service, c.req.query("store_id"))?.catalogue.references;
    if (!references) return c.json({ error: "No such store" }, 404);
    const id = c.req.param("reference");
    const changes = z.looseObject({}).parse(await c.req.json());
    const changed = reference.parse({
      product_reference_ids: null,
      ...references.get(id),
      ...changes,
      reference_id: id,
    });
    references.set(id, changed);
    return c.json(changed);
  });
  app.delete("/catalogue/references/:reference", (c) => {
    const removed = storeOf(service, c.req.query("store_id"))?.catalogue.references.delete(
      c.req.param("reference"),
    );
    return removed === true ? c.body(null, 204) : c.json({ error: "No such reference" }, 404);
  });
  app.put("/catalogue/categories/:category", async (c) => {
    const categories = storeOf(service, c.req.query("store_id"))?.catalogue.categories;
    if (!categories) return c.json({ error: "No such store" }, 404);
    const id = c.req.param("category");
    const changes = z.looseObject({}).parse(await c.req.json());
    const changed = category.parse({ ...merged(categories.get(id) ?? {}, changes), id });
    categories.set(id, changed);
    return c.json(changed);
  });
  app.delete("/catalogue/categories/:category", (c) => {
    const removed = storeOf(service, c.req.query("store_id"))?.catalogue.categories.delete(
      c.req.param("category"),
    );
    return removed === true ? c.body(null, 204) : c.json({ error: "No such category" }, 404);
  });
  return app;
}

/** A store by its id; the first one when none is named. */
export function storeOf(service: Service, id: string | undefined): Store | undefined {
  return allStores(service.state).find((store) => id === undefined || store.id === id);
}

/** Objects are merged at every depth, so that one marketing text can be changed alone. */
function merged(base: object, changes: object): object {
  const result = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(changes) as [string, unknown][]) {
    const known = result.get(key);
    result.set(key, isPlain(known) && isPlain(value) ? merged(known, value) : value);
  }
  return Object.fromEntries(result);
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
