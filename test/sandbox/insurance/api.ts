/** The eleven endpoints over HTTP: checks what arrives, changes the world, answers in the style that is set. */
import { OpenAPIHono, createRoute, z } from "@hono/zod-openapi";
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
import * as schema from "./schema.ts";
import type { Environment, Store } from "./state.ts";
import {
  Refusal,
  addLead,
  addPlan,
  allStores,
  cancelOrder,
  checkedLead,
  recordOrder,
  referenceFor,
  type World,
} from "./world.ts";

interface Door {
  Variables: { store: Store; environment: Environment };
}

/** What the endpoints work on; a reset replaces the world and the style. */
export interface Service {
  world: World;
  style: Style;
  linkBase: string;
}

const json = <T extends z.ZodType>(content: T) => ({ content: { "application/json": { schema: content } } });
const ok = <T extends z.ZodType>(description: string, content: T) => ({ description, ...json(content) });
const analyticsProblems = {
  401: ok("The token is missing, wrong or expired", schema.problem),
  404: ok("Not found", schema.problem),
  422: ok("What was sent is not acceptable", schema.problem),
  503: { description: "Faults are answered on demand, see the control address" },
};
const problems = {
  ...analyticsProblems,
  400: ok("What was sent is not JSON", schema.problem),
  403: ok("The token is not for this store", schema.problem),
};
const store = z.object({
  store_id: z.string().openapi({ description: "Unique identifier of the merchant's store" }),
});
const bearer = [{ token: [] }];
const security = { security: bearer, tags: ["Store"] };

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
  const offers = createRoute({
    method: "get",
    path: "/api/v2/store/{store_id}/offers",
    operationId: "offers.list",
    summary: "The offers that apply to a product",
    ...security,
    request: {
      params: store,
      query: z.object({
        category_id: z.string().optional().openapi({ description: "Product category" }),
        product_reference_id: z.string().optional().openapi({ description: "Unique product reference" }),
        product_price: schema.wholeNumber.optional().openapi({ type: "integer", description: "Cents" }),
      }),
    },
    responses: {
      200: ok(
        "Offers; which parameters are required is not shown: here, none",
        z.union([schema.listOf(schema.offer, "offers"), schema.offer]),
      ),
      ...problems,
    },
  });
  app.openapi(offers, (c) => {
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

  const categories = createRoute({
    method: "get",
    path: "/api/v2/store/{store_id}/categories",
    operationId: "categories.list",
    summary: "The store's categories with their marketing content and legal documents",
    ...security,
    request: { params: store },
    responses: { 200: ok("Categories", schema.listOf(schema.category, "categories")), ...problems },
  });
  app.openapi(categories, (c) =>
    Response.json(wrapped([...c.get("store").catalogue.categories.values()], "categories", service.style)),
  );

  const plans = createRoute({
    method: "get",
    path: "/api/v2/store/{store_id}/plans",
    operationId: "plans.list",
    summary: "The store's plans, or those of one customer",
    ...security,
    request: { params: store, query: z.object({ customer_email: z.string().optional() }) },
    responses: { 200: ok("Plans", schema.listOf(schema.plan, "plans")), ...problems },
  });
  app.openapi(plans, (c) => {
    const email = c.req.valid("query").customer_email;
    const books = booksOf(c);
    const found =
      email === undefined ? books.plans.values() : (books.plansByEmail.get(email.toLowerCase()) ?? []);
    const answers = Array.from(found, (plan) => planAnswer(plan, service.style));
    return Response.json(wrapped(answers, "plans", service.style));
  });

  const plan = createRoute({
    method: "get",
    path: "/api/v2/store/{store_id}/plans/{plan_id}",
    operationId: "plans.get",
    summary: "One plan",
    ...security,
    request: { params: store.extend({ plan_id: z.string() }) },
    responses: { 200: ok("The plan", schema.oneOf(schema.plan, "plan")), ...problems },
  });
  app.openapi(plan, (c) => {
    const found = booksOf(c).plans.get(c.req.valid("param").plan_id);
    if (!found) throw new Refusal(404, "No such plan");
    return Response.json(wrappedOne(planAnswer(found, service.style), "plan", service.style));
  });

  const createPlans = createRoute({
    method: "post",
    path: "/api/v2/store/{store_id}/plans",
    operationId: "plans.create",
    summary: "Subscribe: create plans, which are active from then on",
    ...security,
    request: { params: store, body: { required: true, ...json(schema.oneOrMany(schema.newPlan, "plans")) } },
    responses: {
      201: ok("As wrapped as the request", schema.createdAs(schema.createdPlan, "plan", "plans")),
      ...problems,
    },
  });
  app.openapi(createPlans, (c) => {
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

  const createLeads = createRoute({
    method: "post",
    path: "/api/v2/store/{store_id}/leads",
    operationId: "leads.create",
    summary: "Create quotes, each with the page on which the customer subscribes",
    ...security,
    request: { params: store, body: { required: true, ...json(schema.oneOrMany(schema.newLead, "leads")) } },
    responses: {
      201: ok("As wrapped as the request", schema.createdAs(schema.lead, "lead", "leads")),
      ...problems,
    },
  });
  app.openapi(createLeads, (c) => {
    const sent = c.req.valid("json");
    const owner = c.get("store");
    const created = sent.items
      .map((request, index) => checkedLead(owner, request, sent.form === "one" ? "" : `${index}.`))
      .map((request) => addLead(service.world, owner, c.get("environment"), request))
      .map((lead) => leadAnswer(service.world, lead, service.linkBase, service.style));
    return Response.json(asSent(created, sent.form, "lead", service.style), { status: 201 });
  });

  const claims = createRoute({
    method: "get",
    path: "/api/v2/store/{store_id}/claims",
    operationId: "claims.list",
    summary: "The store's claims, or those on one contract",
    ...security,
    request: { params: store, query: z.object({ plan_id: z.string().optional() }) },
    responses: { 200: ok("Claims", schema.listOf(schema.claim, "claims")), ...problems },
  });
  app.openapi(claims, (c) => {
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

  const orders = createRoute({
    method: "post",
    path: "/api/v2/store/{store_id}/orders",
    operationId: "orders.record",
    summary: "Record an order; the same reference again replaces it",
    ...security,
    request: { params: store, body: { required: true, ...json(schema.newOrder) } },
    responses: { 201: ok("Recorded; the body is not shown", schema.orderState), ...problems },
  });
  app.openapi(orders, (c) => {
    const order = recordOrder(service.world, c.get("store"), c.get("environment"), c.req.valid("json"));
    const { order_reference_id, status } = order;
    return Response.json({ order_reference_id, status }, { status: 201 });
  });

  const cancel = createRoute({
    method: "patch",
    path: "/api/v2/store/{store_id}/orders/{order_reference_id}/cancel",
    operationId: "orders.cancel",
    summary: "Cancel an order and the plans linked to it",
    ...security,
    request: { params: store.extend({ order_reference_id: z.string() }) },
    responses: { 200: ok("Cancelled; the body is not shown", schema.orderState), ...problems },
  });
  app.openapi(cancel, (c) => {
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
  const describe = <T extends z.ZodType>(resource: "sales" | "commissions", item: T) =>
    createRoute({
      method: "get",
      path: `/organizations/analytics/${resource}`,
      operationId: `analytics.${resource}`,
      summary: `The organisation's ${resource}, over all points of sale and both environments`,
      tags: ["Organisation"],
      request: { query: schema.analyticsQuery },
      responses: { 200: ok("One page, oldest first", schema.listOf(item, resource)), ...analyticsProblems },
    });
  app.openapi(describe("sales", schema.sale), (c) => {
    const query = c.req.valid("query");
    return Response.json(wrapped(rows().sales(organisation(query.token), query), "sales", service.style));
  });
  app.openapi(describe("commissions", schema.commission), (c) => {
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
