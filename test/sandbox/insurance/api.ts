/** The eleven endpoints over HTTP: checks what arrives, changes the state, answers in the style that is set. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { createAnalytics } from "./analytics.ts";
import {
  claimResponse,
  createdPlanResponse,
  leadResponse,
  offerResponse,
  planResponse,
  wrapList,
  wrapObject,
  type Style,
} from "./responses.ts";
import { offersFor } from "./catalogue.ts";
import { addLead, validateLead } from "./quotes.ts";
import * as routes from "./routes.ts";
import * as schema from "./schema.ts";
import type { Environment, Store } from "./records.ts";
import {
  ApiError,
  addPlan,
  allStores,
  cancelOrder,
  recordOrder,
  referenceFor,
  type ServiceState,
} from "./service-state.ts";

interface RequestContext {
  Variables: { store: Store; environment: Environment };
}

/** What the endpoints work on; a reset replaces the state and the style. */
export interface Service {
  state: ServiceState;
  style: Style;
  linkBase: string;
}

export function createApi(service: Service): OpenAPIHono<RequestContext> {
  const app = new OpenAPIHono<RequestContext>({
    defaultHook: (result) => {
      if (result.success) return;
      const fields = schema.fieldProblems(result.error.issues);
      throw new ApiError(422, fields.map(({ field, message }) => `${field}: ${message}`).join("; "), fields);
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
    if (!(error instanceof ApiError)) throw error;
    const { status, message, fields } = error;
    return c.json({ error: NAMES[status], message, ...(fields.length > 0 ? { fields } : {}) }, status);
  });
  app.use("/api/v2/store/:store_id/*", authenticateStore(service));
  storeRoutes(app, service);
  analyticsRoutes(app, service);
  return app;
}

const NAMES = { 401: "unauthorised", 403: "forbidden", 404: "not_found", 422: "invalid" };

/** Finds the store and the environment of the Bearer token; it opens its own store only. */
function authenticateStore(service: Service): MiddlewareHandler<RequestContext> {
  return async (c, next) => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const owner = allStores(service.state).find(
      ({ tokens }) => token !== undefined && (tokens.test === token || tokens.production === token),
    );
    if (!owner) throw new ApiError(401, "The access token is missing or wrong");
    if (owner.id !== c.req.param("store_id"))
      throw new ApiError(403, "The access token is for another store");
    c.set("store", owner);
    c.set("environment", owner.tokens.test === token ? "test" : "production");
    await next();
  };
}

function storeRoutes(app: OpenAPIHono<RequestContext>, service: Service): void {
  app.openapi(routes.offers, (c) => {
    const query = c.req.valid("query");
    const { references, categories } = c.get("store").catalogue;
    const found = offersFor(references.values(), {
      categoryId: query.category_id,
      product: query.product_reference_id,
      price: query.product_price,
    }).flatMap((reference) => {
      const category = categories.get(reference.category_id);
      return category ? [offerResponse(reference, category, service.style)] : [];
    });
    const [only] = found;
    if (service.style.single_offer && found.length === 1 && only) return Response.json(only);
    return Response.json(wrapList(found, "offers", service.style));
  });

  app.openapi(routes.categories, (c) =>
    Response.json(wrapList([...c.get("store").catalogue.categories.values()], "categories", service.style)),
  );

  app.openapi(routes.plans, (c) => {
    const email = c.req.valid("query").customer_email;
    const records = recordsOf(c);
    const found =
      email === undefined ? records.plans.values() : (records.plansByEmail.get(email.toLowerCase()) ?? []);
    const answers = Array.from(found, (plan) => planResponse(plan, service.style));
    return Response.json(wrapList(answers, "plans", service.style));
  });

  app.openapi(routes.plan, (c) => {
    const found = recordsOf(c).plans.get(c.req.valid("param").plan_id);
    if (!found) throw new ApiError(404, "No such plan");
    return Response.json(wrapObject(planResponse(found, service.style), "plan", service.style));
  });

  app.openapi(routes.createPlans, (c) => {
    const owner = c.get("store");
    const activated_at = service.state.now();
    const sent = c.req.valid("json");
    // All are checked before the first is created: a refusal means that nothing was done.
    const checked = sent.items.map((request, index) => {
      const at = sent.form === "one" ? "" : `${index}.`;
      const field = `${at}customer.phone`;
      if (service.style.phone === "required" && !request.customer.phone) {
        throw new ApiError(422, `${field}: is required`, [{ field, message: "is required" }]);
      }
      return { request, reference: referenceFor(owner, request, at) };
    });
    const created = checked.map(({ request, reference }) =>
      createdPlanResponse(
        addPlan(service.state, owner, c.get("environment"), {
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
    return Response.json(wrapAsSent(created, sent.form, "plan", service.style), { status: 201 });
  });

  app.openapi(routes.createLeads, (c) => {
    const sent = c.req.valid("json");
    const owner = c.get("store");
    const created = sent.items
      .map((request, index) => validateLead(owner, request, sent.form === "one" ? "" : `${index}.`))
      .map((request) => addLead(service.state, owner, c.get("environment"), request))
      .map((lead) => leadResponse(service.state, lead, service.linkBase, service.style));
    return Response.json(wrapAsSent(created, sent.form, "lead", service.style), { status: 201 });
  });

  app.openapi(routes.claims, (c) => {
    const planId = c.req.valid("query").plan_id;
    const found = [...recordsOf(c).claims.values()].filter(
      (claim) => planId === undefined || claim.plan_id === planId,
    );
    return Response.json(
      wrapList(
        found.map((claim) => claimResponse(claim, service.style)),
        "claims",
        service.style,
      ),
    );
  });

  app.openapi(routes.orders, (c) => {
    const order = recordOrder(service.state, c.get("store"), c.get("environment"), c.req.valid("json"));
    const { order_reference_id, status } = order;
    return Response.json({ order_reference_id, status }, { status: 201 });
  });

  app.openapi(routes.cancel, (c) => {
    const reference = c.req.valid("param").order_reference_id;
    const order = cancelOrder(service.state, c.get("store"), c.get("environment"), reference);
    return Response.json({ order_reference_id: order.order_reference_id, status: order.status });
  });
}

function analyticsRoutes(app: OpenAPIHono<RequestContext>, service: Service): void {
  let derived = { state: service.state, rows: createAnalytics(service.state) };
  const rows = () => {
    if (derived.state !== service.state)
      derived = { state: service.state, rows: createAnalytics(service.state) };
    return derived.rows;
  };
  const organisation = (token: string) => {
    const found = service.state.organisations.find((candidate) => candidate.token === token);
    if (!found) throw new ApiError(401, "The organisation's token is wrong");
    return found;
  };
  app.openapi(routes.analyticsRoute("sales", schema.sale), (c) => {
    const query = c.req.valid("query");
    return Response.json(wrapList(rows().sales(organisation(query.token), query), "sales", service.style));
  });
  app.openapi(routes.analyticsRoute("commissions", schema.commission), (c) => {
    const query = c.req.valid("query");
    return Response.json(
      wrapList(rows().commissions(organisation(query.token), query), "commissions", service.style),
    );
  });
}

function recordsOf(c: { get(key: "store"): Store; get(key: "environment"): Environment }) {
  return c.get("store").records[c.get("environment")];
}

function wrapAsSent(created: object[], form: "one" | "array" | "object", name: string, style: Style): object {
  if (form === "object") return { [`${name}s`]: created };
  const [first] = created;
  return form === "one" && first ? wrapObject(first, name, style) : created;
}
