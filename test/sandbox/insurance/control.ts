/**
 * The control address: what a test or demo can do to the stand-in but no client could do to the real insurer.
 * Clock, catalogue, claims, and everything that ever happened.
 */
import { Hono } from "hono";
import { z } from "zod";
import type { Insurer } from "./api.ts";
import { formulaStyles, type FormulaStyle } from "./catalogue.ts";
import { catalogueRoutes, storeOf } from "./control-catalogue.ts";
import { controlClaim } from "./schema.ts";
import type { Claim, Lead, Order, Plan } from "./records.ts";
import { allRecords, ApiError, findRecord, nextId } from "./service-state.ts";

/** @param reset goes back to the state after the start, or to one with other formulas */
export function controlRoutes(service: Insurer, reset: (formulas?: FormulaStyle) => void): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 422);
    if (error instanceof SyntaxError) return c.json({ error: error.message }, 400);
    if (error instanceof ApiError) return c.json({ error: error.message }, error.status);
    throw error;
  });

  app.post("/reset", async (c) => {
    const sent = await c.req.text();
    reset(
      sent === ""
        ? undefined
        : z.object({ formulas: z.enum(formulaStyles) }).parse(JSON.parse(sent)).formulas,
    );
    return c.body(null, 204);
  });

  app.post("/clock", async (c) => {
    const { advance_days } = z.object({ advance_days: z.number() }).parse(await c.req.json());
    service.state.advance(advance_days * 86_400_000);
    return c.json({ now: new Date(service.state.now()).toISOString() });
  });

  // Everything that was ever created, cancelled things included.
  for (const kind of ["plans", "orders", "leads", "claims"] as const)
    app.get(`/${kind}`, (c) =>
      c.json(allRecords(service.state).flatMap((records) => [...records[kind].values()].map(toJson))),
    );
  app.patch("/stores/:store", async (c) => {
    const store = storeOf(service, c.req.param("store"));
    const sent = z
      .object({
        requires_phone: z.boolean().optional(),
        empty_is_404: z.boolean().optional(),
        token_test: z.string().optional(),
      })
      .parse(await c.req.json());
    store.requires_phone = sent.requires_phone ?? store.requires_phone;
    store.empty_is_404 = sent.empty_is_404 ?? store.empty_is_404;
    store.tokens.test = sent.token_test ?? store.tokens.test;
    service.state.version += 1;
    return c.body(null, 204);
  });

  app.post("/claims", async (c) => {
    const sent: unknown = await c.req.json();
    const claim = controlClaim.parse({ filed_at: service.state.now(), ...z.looseObject({}).parse(sent) });
    const plan = findRecord(service.state, ({ plans }) => plans.get(claim.plan_id));
    if (!plan) throw new ApiError(404, "No such plan");
    const { store, environment } = plan;
    const id = nextId(service.state, "SIN");
    store.records[environment].claims.set(id, { ...claim, id, store, environment });
    return c.json({ id }, 201);
  });
  app.patch("/claims/:claim", async (c) => {
    const id = c.req.param("claim");
    const known = findRecord(service.state, ({ claims }) => claims.get(id));
    if (!known) throw new ApiError(404, "No such claim");
    const changes = z.looseObject({}).parse(await c.req.json());
    Object.assign(known, controlClaim.parse({ ...known, ...changes }));
    return c.body(null, 204);
  });

  app.route("/", catalogueRoutes(service));
  return app;
}

/** Moments as texts, and the ids of the store and the reference in their place. */
function toJson({ store, ...record }: Plan | Order | Lead | Claim): object {
  const fields = Object.entries(record).map(([name, value]: [string, unknown]) =>
    name.endsWith("_at") && typeof value === "number" ? [name, new Date(value).toISOString()] : [name, value],
  );
  return {
    ...(Object.fromEntries(fields) as object),
    ...("reference" in record
      ? { reference: undefined, offer_reference_id: record.reference.reference_id }
      : {}),
    store_id: store.id,
  };
}
