/** The eleven endpoints over HTTP: checks what arrives, changes the world, answers in the style that is set. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { analytics } from "./analytics.ts";
import {
  claimAnswer,
  createdPlanAnswer,
  leadAnswer,
  offerAnswer,
  planAnswer,
  wrapped,
  wrappedOne,
  type Style,
} from "./answers.ts";
import { offersFor } from "./catalogue.ts";
import { addLead, checkedLead } from "./quotes.ts";
import * as routes from "./routes.ts";
import * as schema from "./schema.ts";
import type { Environment, Store } from "./state.ts";
import { Refusal, addPlan, allStores, cancelOrder, recordOrder, referenceFor, type World } from "./world.ts";

interface Door {
  Variables: { store: Store; environment: Environment };
}

/** What the endpoints work on; a reset replaces the world and the style. */
export interface Service {
  world: World;
  style: Style;
  linkBase: string;
}

export function api(service: Service): OpenAPIHono<Door> {
  const app = new OpenAPIHono<Door>({
    defaultHook: (result) => {
      if (result.success) return;
      const fields = schema.complaints(result.error.issues);
      throw new Refusal(422, fields.map(({ field, message }) => `${field}: ${message}`).join("; "), fields);
    },
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "One token per store and environment (test, production)",
  });
  app.onError((error, c) => {
    if (error instanceof HTTPException)
      return c.json({ error: "malformed", message: error.message }, error.status);
    if (!(error instanceof Refusal)) throw error;
    const { status, message, fields } = error;
    return c.json({ error: NAMES[status], message, ...(fields.length > 0 ? { fields } : {}) }, status);
  });
  app.use("/api/v2/store/:store_id/*", storeDoor(service));
  storeRoutes(app, service);
  analyticsRoutes(app, service);
  return app;
}

const NAMES = { 401: "unauthorised", 403: "forbidden", 404: "not_found", 422: "invalid" };

/** Finds the store and the environment of the Bearer token; it opens its own store only. */
function storeDoor(service: Service): MiddlewareHandler<Door> {
  return async (c, next) => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const owner = allStores(service.world).find(
      ({ tokens }) => token !== undefined && (tokens.test === token || tokens.production === token),
    );
    if (!owner) throw new Refusal(401, "The access token is missing or wrong");
    if (owner.id !== c.req.param("store_id")) throw new Refusal(403, "The access token is for another store");
    c.set("store", owner);
    c.set("environment", owner.tokens.test === token ? "test" : "production");
    await next();
  };
}

function storeRoutes(app: OpenAPIHono<Door>, service: Service): void {
  app.openapi(routes.offers, (c) => {
    const query = c.req.valid("query");
    const { references, categories } = c.get("store").catalogue;
    const found = offersFor(references.values(), {
      categoryId: query.category_id,
      product: query.product_reference_id,
      price: query.product_price,
    }).flatMap((reference) => {
      const category = categories.get(reference.category_id);
      return category ? [offerAnswer(reference, category, service.style)] : [];
    });
    const [only] = found;
    if (service.style.single_offer && found.length === 1 && only) return Response.json(only);
    return Response.json(wrapped(found, "offers", service.style));
  });

  app.openapi(routes.categories, (c) =>
    Response.json(wrapped([...c.get("store").catalogue.categories.values()], "categories", service.style)),
  );

  app.openapi(routes.plans, (c) => {
    const email = c.req.valid("query").customer_email;
    const books = booksOf(c);
    const found =
      email === undefined ? books.plans.values() : (books.plansByEmail.get(email.toLowerCase()) ?? []);
    const answers = Array.from(found, (plan) => planAnswer(plan, service.style));
    return Response.json(wrapped(answers, "plans", service.style));
  });

  app.openapi(routes.plan, (c) => {
    const found = booksOf(c).plans.get(c.req.valid("param").plan_id);
    if (!found) throw new Refusal(404, "No such plan");
    return Response.json(wrappedOne(planAnswer(found, service.style), "plan", service.style));
  });

  app.openapi(routes.createPlans, (c) => {
    const owner = c.get("store");
    const activated_at = service.world.now();
    const sent = c.req.valid("json");
    // All are checked before the first is created: a refusal means that nothing was done.
    const checked = sent.items.map((request, index) => ({
      request,
      reference: referenceFor(owner, request, sent.form === "one" ? "" : `${index}.`),
    }));
    const created = checked.map(({ request, reference }) =>
      createdPlanAnswer(
        addPlan(service.world, owner, c.get("environment"), {
          reference,
          order_reference_id: request.order_reference_id,
          variant: { ...request.variant, price: Math.round(request.variant.price * 100) },
          customer: request.customer,
          seller: null,
          origin: "api",
          activated_at,
        }),
        service.style,
      ),
    );
    return Response.json(asSent(created, sent.form, "plan", service.style), { status: 201 });
  });

  app.openapi(routes.createLeads, (c) => {
    const sent = c.req.valid("json");
    const owner = c.get("store");
    const created = sent.items
      .map((request, index) => checkedLead(owner, request, sent.form === "one" ? "" : `${index}.`))
      .map((request) => addLead(service.world, owner, c.get("environment"), request))
      .map((lead) => leadAnswer(service.world, lead, service.linkBase, service.style));
    return Response.json(asSent(created, sent.form, "lead", service.style), { status: 201 });
  });

  app.openapi(routes.claims, (c) => {
    const planId = c.req.valid("query").plan_id;
    const found = [...booksOf(c).claims.values()].filter(
      (claim) => planId === undefined || claim.plan_id === planId,
    );
    return Response.json(
      wrapped(
        found.map((claim) => claimAnswer(claim, service.style)),
        "claims",
        service.style,
      ),
    );
  });

  app.openapi(routes.orders, (c) => {
    const order = recordOrder(service.world, c.get("store"), c.get("environment"), c.req.valid("json"));
    const { order_reference_id, status } = order;
    return Response.json({ order_reference_id, status }, { status: 201 });
  });

  app.openapi(routes.cancel, (c) => {
    const reference = c.req.valid("param").order_reference_id;
    const order = cancelOrder(service.world, c.get("store"), c.get("environment"), reference);
    return Response.json({ order_reference_id: order.order_reference_id, status: order.status });
  });
}

function analyticsRoutes(app: OpenAPIHono<Door>, service: Service): void {
  let derived = { world: service.world, rows: analytics(service.world) };
  const rows = () => {
    if (derived.world !== service.world) derived = { world: service.world, rows: analytics(service.world) };
    return derived.rows;
  };
  const organisation = (token: string) => {
    const found = service.world.organisations.find((candidate) => candidate.token === token);
    if (!found) throw new Refusal(401, "The organisation's token is wrong");
    return found;
  };
  app.openapi(routes.analyticsRoute("sales", schema.sale), (c) => {
    const query = c.req.valid("query");
    return Response.json(wrapped(rows().sales(organisation(query.token), query), "sales", service.style));
  });
  app.openapi(routes.analyticsRoute("commissions", schema.commission), (c) => {
    const query = c.req.valid("query");
    return Response.json(
      wrapped(rows().commissions(organisation(query.token), query), "commissions", service.style),
    );
  });
}

function booksOf(c: { get(key: "store"): Store; get(key: "environment"): Environment }) {
  return c.get("store").books[c.get("environment")];
}

function asSent(created: object[], form: "one" | "array" | "object", name: string, style: Style): object {
  if (form === "object") return { [`${name}s`]: created };
  const [first] = created;
  return form === "one" && first ? wrappedOne(first, name, style) : created;
}
