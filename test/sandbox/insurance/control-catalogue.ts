/** The control address's part on catalogues: references and categories of a store are changed, added and removed. */
import { Hono } from "hono";
import { z } from "zod";
import type { Insurer } from "./api.ts";
import { category, reference } from "./schema.ts";
import type { Catalogue, Store } from "./records.ts";
import { allStores, ApiError } from "./service-state.ts";

/** The catalogue of a store: `?store_id=`, the first store without it. */
export function catalogueRoutes(service: Insurer): Hono {
  const app = new Hono();
  app.get("/catalogue", (c) => {
    const { categories, references } = storeOf(service, c.req.query("store_id")).catalogue;
    return c.json({ categories: [...categories.values()], references: [...references.values()] });
  });
  items("references", "reference_id", reference, ({ references }) => references);
  items("categories", "id", category, ({ categories }) => categories);
  return app;

  function items<T extends object>(
    kind: string,
    idName: string,
    form: z.ZodType<T>,
    itemsOf: (catalogue: Catalogue) => Map<string, T>,
  ): void {
    app.put(`/catalogue/${kind}/:id`, async (c) => {
      const found = itemsOf(storeOf(service, c.req.query("store_id")).catalogue);
      const id = c.req.param("id");
      const changes = z.looseObject({}).parse(await c.req.json());
      const changed = form.parse({ ...merged(found.get(id) ?? {}, changes), [idName]: id });
      found.set(id, changed);
      return c.json(changed);
    });
    app.delete(`/catalogue/${kind}/:id`, (c) => {
      const found = itemsOf(storeOf(service, c.req.query("store_id")).catalogue);
      return found.delete(c.req.param("id")) ? c.body(null, 204) : c.json({ error: "Not found" }, 404);
    });
  }
}

/** A store by its id; the first one when none is named. @throws ApiError */
export function storeOf(service: Insurer, id: string | undefined): Store {
  const found = allStores(service.state).find((store) => id === undefined || store.id === id);
  if (!found) throw new ApiError(404, "No such store");
  return found;
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
