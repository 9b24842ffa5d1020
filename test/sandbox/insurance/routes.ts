/** What each of the eleven endpoints takes and answers: checks the requests and makes the OpenAPI document. */
import { createRoute, z } from "@hono/zod-openapi";
import * as schema from "./schema.ts";

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

export const offers = createRoute({
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

export const categories = createRoute({
  method: "get",
  path: "/api/v2/store/{store_id}/categories",
  operationId: "categories.list",
  summary: "The store's categories with their marketing content and legal documents",
  ...security,
  request: { params: store },
  responses: { 200: ok("Categories", schema.listOf(schema.category, "categories")), ...problems },
});

export const plans = createRoute({
  method: "get",
  path: "/api/v2/store/{store_id}/plans",
  operationId: "plans.list",
  summary: "The store's plans, or those of one customer",
  ...security,
  request: { params: store, query: z.object({ customer_email: z.string().optional() }) },
  responses: { 200: ok("Plans", schema.listOf(schema.plan, "plans")), ...problems },
});

export const plan = createRoute({
  method: "get",
  path: "/api/v2/store/{store_id}/plans/{plan_id}",
  operationId: "plans.get",
  summary: "One plan",
  ...security,
  request: { params: store.extend({ plan_id: z.string() }) },
  responses: { 200: ok("The plan", schema.objectOf(schema.plan, "plan")), ...problems },
});

export const createPlans = createRoute({
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

export const createLeads = createRoute({
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

export const claims = createRoute({
  method: "get",
  path: "/api/v2/store/{store_id}/claims",
  operationId: "claims.list",
  summary: "The store's claims, or those on one contract",
  ...security,
  request: { params: store, query: z.object({ plan_id: z.string().optional() }) },
  responses: { 200: ok("Claims", schema.listOf(schema.claim, "claims")), ...problems },
});

export const orders = createRoute({
  method: "post",
  path: "/api/v2/store/{store_id}/orders",
  operationId: "orders.record",
  summary: "Record an order; the same reference again replaces it",
  ...security,
  request: { params: store, body: { required: true, ...json(schema.newOrder) } },
  responses: { 201: ok("Recorded; the body is not shown", schema.orderState), ...problems },
});

export const cancel = createRoute({
  method: "patch",
  path: "/api/v2/store/{store_id}/orders/{order_reference_id}/cancel",
  operationId: "orders.cancel",
  summary: "Cancel an order and the plans linked to it",
  ...security,
  request: { params: store.extend({ order_reference_id: z.string() }) },
  responses: { 200: ok("Cancelled; the body is not shown", schema.orderState), ...problems },
});

/** The two analytics endpoints are alike. */
export const analyticsRoute = <T extends z.ZodType>(resource: "sales" | "commissions", item: T) =>
  createRoute({
    method: "get",
    path: `/organizations/analytics/${resource}`,
    operationId: `analytics.${resource}`,
    summary: `The organisation's ${resource}, over all points of sale and both environments`,
    tags: ["Organisation"],
    request: { query: schema.analyticsQuery },
    responses: { 200: ok("One page, oldest first", schema.listOf(item, resource)), ...analyticsProblems },
  });
