/** The eleven endpoints over HTTP: checks what arrives, changes the state, answers. */
import type { Context, Handler } from "hono";
import { Hono } from "hono";
import { z } from "zod";
import { analyticsPage } from "./analytics.ts";
import { offersFor } from "./catalogue.ts";
import { addLead, validateLead } from "./quotes.ts";
import type { Environment, Store } from "./records.ts";
import {
  claimResponse,
  createdPlanResponse,
  leadResponse,
  offerResponse,
  planResponse,
} from "./responses.ts";
import * as schema from "./schema.ts";
import {
  addPlan,
  allStores,
  ApiError,
  cancelOrder,
  recordOrder,
  referenceFor,
  type InsurerState,
} from "./service-state.ts";

interface InsurerEnv {
  Variables: { store: Store; environment: Environment };
}
type InsurerContext = Context<InsurerEnv>;

/** What the endpoints work on; a reset replaces the state. */
export interface Insurer {
  state: InsurerState;
  linkBase: string;
  /** of its pages and documents, as of its texts */
  language: "fr" | "en";
}

const STORE = "/api/v2/store/:store_id";
/** The names of the endpoints: faults are set on them and requests are counted by them. */
export const endpoints = {
  "offers.list": ["GET", `${STORE}/offers`, listOffers],
  "categories.list": ["GET", `${STORE}/categories`, listCategories],
  "plans.list": ["GET", `${STORE}/plans`, listPlans],
  "plans.get": ["GET", `${STORE}/plans/:plan_id`, getPlan],
  "plans.create": ["POST", `${STORE}/plans`, createPlan],
  "leads.create": ["POST", `${STORE}/leads`, createLead],
  "claims.list": ["GET", `${STORE}/claims`, listClaims],
  "orders.record": ["POST", `${STORE}/orders`, record],
  "orders.cancel": ["PATCH", `${STORE}/orders/:order_reference_id/cancel`, cancel],
  "analytics.sales": ["GET", "/organizations/analytics/sales", analyticsRows("sales")],
  "analytics.commissions": ["GET", "/organizations/analytics/commissions", analyticsRows("commissions")],
} satisfies Record<string, [method: string, path: string, Endpoint]>;
export type Operation = keyof typeof endpoints;
export const operations = Object.keys(endpoints) as Operation[];

type Endpoint = (c: InsurerContext, service: Insurer) => Response | Promise<Response>;

const NAMES = { 400: "malformed", 401: "unauthorised", 403: "forbidden", 404: "not_found", 422: "invalid" };

export function createApi(service: Insurer): Hono<InsurerEnv> {
  const app = new Hono<InsurerEnv>();
  app.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json(...refusal(invalid(error)));
    if (error instanceof ApiError) return c.json(...refusal(error));
    throw error;
  });
  app.use(`${STORE}/*`, authenticateStore(service));
  for (const [method, path, endpoint] of Object.values(endpoints))
    app.on(method, path, (c: InsurerContext) => endpoint(c, service));
  return app;
}

/** The body's shape is not shown: this is the stand-in's choice. */
function refusal({ status, message, fields }: ApiError) {
  return [{ error: NAMES[status], message, ...(fields.length > 0 ? { fields } : {}) }, status] as const;
}

function invalid({ issues }: z.ZodError): ApiError {
  const fields = issues.map(({ path, message }) => ({ field: path.map(String).join("."), message }));
  return new ApiError(422, fields.map(({ field, message }) => `${field}: ${message}`).join("; "), fields);
}

/** Finds the store and the environment of the Bearer token; it opens its own store only. */
function authenticateStore(service: Insurer): Handler<InsurerEnv> {
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

async function bodyOf<T>(c: InsurerContext, form: z.ZodType<T>): Promise<T> {
  const text = await c.req.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError(400, "The body is not JSON");
    throw error;
  }
  return form.parse(body);
}

const recordsOf = (c: InsurerContext) => c.var.store.records[c.var.environment];

function listResponse(items: object[], emptyIs404: boolean): Response {
  if (items.length === 0 && emptyIs404) throw new ApiError(404, "Nothing was found");
  return Response.json(items);
}

function listOffers(c: InsurerContext): Response {
  const query = schema.offersQuery.parse(c.req.query());
  const { references, categories } = c.var.store.catalogue;
  const found = offersFor(references.values(), {
    categoryId: query.category_id,
    product: query.product_reference_id,
    price: query.product_price,
  }).flatMap((reference) => {
    const category = categories.get(reference.category_id);
    return category ? [offerResponse(reference, category)] : [];
  });
  return listResponse(found, c.var.store.empty_is_404);
}

function listCategories(c: InsurerContext): Response {
  return Response.json([...c.var.store.catalogue.categories.values()]);
}

function listPlans(c: InsurerContext): Response {
  const email = c.req.query("customer_email");
  const records = recordsOf(c);
  const found = email === undefined ? records.plans.values() : (records.plansByEmail.get(email) ?? []);
  return listResponse(Array.from(found, planResponse), c.var.store.empty_is_404);
}

function getPlan(c: InsurerContext): Response {
  const found = recordsOf(c).plans.get(c.req.param("plan_id") ?? "");
  if (!found) throw new ApiError(404, "No such plan");
  return Response.json(planResponse(found));
}

async function createPlan(c: InsurerContext, { state }: Insurer): Promise<Response> {
  const { store, environment } = c.var;
  const request = await bodyOf(c, schema.newPlan);
  const plan = addPlan(state, store, environment, {
    reference: referenceFor(store, request),
    order_reference_id: request.order_reference_id,
    variant: { ...request.variant, price: Math.round(request.variant.price * 100) },
    customer: request.customer,
    seller: null,
    activated_at: state.now(),
  });
  return Response.json(createdPlanResponse(plan), { status: 201 });
}

async function createLead(c: InsurerContext, { state, linkBase }: Insurer): Promise<Response> {
  const { store, environment } = c.var;
  const request = validateLead(store, await bodyOf(c, schema.newLead));
  const lead = addLead(state, store, environment, request);
  return Response.json(leadResponse(state, lead, linkBase), { status: 201 });
}

function listClaims(c: InsurerContext): Response {
  const planId = c.req.query("plan_id");
  const found = [...recordsOf(c).claims.values()].filter(
    (claim) => planId === undefined || claim.plan_id === planId,
  );
  return listResponse(found.map(claimResponse), c.var.store.empty_is_404);
}

async function record(c: InsurerContext): Promise<Response> {
  const sent = await bodyOf(c, schema.newOrder);
  const { order_reference_id, status } = recordOrder(c.var.store, c.var.environment, sent);
  return Response.json({ order_reference_id, status }, { status: 201 });
}

function cancel(c: InsurerContext, { state }: Insurer): Response {
  const reference = c.req.param("order_reference_id") ?? "";
  const order = cancelOrder(state, c.var.store, c.var.environment, reference);
  return Response.json({ order_reference_id: order.order_reference_id, status: order.status });
}

function analyticsRows(resource: "sales" | "commissions"): Endpoint {
  return (c, { state }) => {
    const query = schema.analyticsQuery.parse({
      ...c.req.query(),
      external_ids: c.req.queries("external_ids") ?? [],
    });
    const organisation = state.organisations.find(({ token }) => token === query.token);
    if (!organisation) throw new ApiError(401, "The organisation's token is wrong");
    const items = analyticsPage(state, organisation, resource, query);
    const emptyIs404 = organisation.stores.some((store) => store.empty_is_404);
    return listResponse(items, emptyIs404);
  };
}
