/**
 * The stand-in of the insurer: a real HTTP server that follows the specification. Tests and the demo start it
 * in their process with `startInsurance`.
 */
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { Faults, respondWithFault, type ServedByNode } from "#test/sandbox/faults.ts";
import { serveFetch } from "#test/sandbox/listen.ts";
import { createApi, endpoints, type Operation, operations, type Insurer } from "./api.ts";
import type { FormulaStyle } from "./catalogue.ts";
import { controlRoutes } from "./control.ts";
import { hostedPages } from "./hosted-pages.ts";
import { seedYear } from "./seed.ts";
import type { Environment, Plan } from "./records.ts";
import { type LoggedRequest, RequestLog } from "./request-log.ts";
import { allStores, createInsurerState } from "./service-state.ts";

export interface InsuranceOptions {
  /** 0 (default): a free one. */
  port?: number;
  /** Decides tokens, ids and the seeded year. Default 1. */
  seed?: number;
  /** Sales in the seeded year; 0 leaves the records empty. Default 600. */
  sales?: number;
  /** Milliseconds since 1970. Default: the machine's clock. */
  clock?: () => number;
  /** How sets of guarantees are told apart. Default: each universe has one. */
  formulas?: FormulaStyle;
}

/** With the keys of its first store. */
export interface Insurance extends StoreKeys {
  base_url: string;
  control_url: string;
  /** Every store, those of the other organisation last. */
  stores: StoreKeys[];
  traffic: RequestLog;
  /** Every plan ever made in the records of a store (the first one's), cancelled ones included. */
  plans(environment?: Environment, storeId?: string): Plan[];
  /** Faults of the next requests, as set through the control address. */
  faults: Faults;
  close(): Promise<void>;
}

/** What a client needs to call one store, and its organisation's analytics. */
export interface StoreKeys {
  store_id: string;
  external_id: string;
  name: string;
  token_test: string;
  token_production: string;
  organisation_token: string;
}

export async function startInsurance(options: InsuranceOptions = {}): Promise<Insurance> {
  const { port = 0, seed = 1, sales = 600, clock = Date.now } = options;
  const app = new Hono<ServedByNode>();
  const { url: base_url, close } = await serveFetch(app.fetch, { port });

  const begin = (formulas = options.formulas ?? "one"): Insurer => {
    const state = createInsurerState(seed, clock, formulas);
    seedYear(state, seed, sales);
    return { state, linkBase: base_url, language: formulas === "english" ? "en" : "fr" };
  };
  const service: Insurer = begin();
  const traffic = new RequestLog();
  const faults = new Faults();
  const api = createApi(service);
  for (const operation of operations) {
    const [method, path] = endpoints[operation];
    app.on(method, path, (c) => answer(operation, c));
  }
  app.route("/", hostedPages(service));
  app.route(
    "/control",
    controlRoutes(service, (formulas) => {
      Object.assign(service, begin(formulas));
      faults.clear();
      traffic.clear();
    }),
  );

  async function answer(operation: Operation, { req, env }: Context<ServedByNode>): Promise<Response> {
    const path = new URL(req.url).pathname;
    const fault = faults.take([operation], path);
    const entry: LoggedRequest = {
      at: new Date(service.state.now()).toISOString(),
      method: req.method,
      path,
      operation,
      status: null,
      fault: fault?.kind ?? null,
    };
    traffic.add(entry);
    const work = async () => api.fetch(req.raw);
    const response = fault ? await respondWithFault(fault, work, env.outgoing) : await work();
    if (response !== RESPONSE_ALREADY_SENT) entry.status = response.status;
    return response;
  }

  const keys = service.state.organisations.flatMap(({ token, stores }) =>
    stores.map(({ id, external_id, name, tokens }) => ({
      store_id: id,
      external_id,
      name,
      token_test: tokens.test,
      token_production: tokens.production,
      organisation_token: token,
    })),
  );
  const [first] = keys;
  if (!first) throw new Error("The state has no store");
  return {
    ...first,
    base_url,
    control_url: `${base_url}/control`,
    stores: keys,
    traffic,
    faults,
    plans: (environment = "test", storeId = first.store_id) => {
      const current = allStores(service.state).find(({ id }) => id === storeId);
      return [...(current?.records[environment].plans.values() ?? [])];
    },
    close,
  };
}
