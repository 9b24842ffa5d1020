/**
 * The stand-in of the insurance service: a real HTTP server that follows the specification. Tests and the demo start it
 * in their process with `startInsurance`; alone it runs with `node test/sandbox/insurance/server.ts --port N --seed N`.
 */
import { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { parseArgs } from "node:util";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { z } from "zod";
import { Faults, respondWithFault } from "#test/sandbox/faults.ts";
import { serveFetch } from "#test/sandbox/listen.ts";
import { createApi, operationOf, type Service } from "./api.ts";
import type { FormulaStyle } from "./catalogue.ts";
import { controlRoutes } from "./control.ts";
import { hostedPages } from "./hosted-pages.ts";
import { seedYear } from "./seed.ts";
import type { Environment, Plan } from "./records.ts";
import { createRequestLog, type LoggedRequest, type RequestLog } from "./request-log.ts";
import { allStores, createServiceState } from "./service-state.ts";

export interface InsuranceOptions {
  /** 0 (default): a free one. */
  port?: number;
  /** Decides tokens, ids and the seeded year. Default 1. */
  seed?: number;
  /** Sales in the seeded year; 0 leaves the records empty. Default 600. */
  sales?: number;
  /** Milliseconds since 1970. Default: the machine's clock. */
  clock?: () => number;
  /** Base address of the links to images and documents; default: the stand-in itself. No trailing slash. */
  linkBase?: string;
  /** How sets of guarantees are told apart. Default: each universe has one. */
  formulas?: FormulaStyle;
}

export interface Insurance {
  base_url: string;
  control_url: string;
  store_id: string;
  token_test: string;
  token_production: string;
  organisation_token: string;
  /** Every store, those of the other organisation last; the first is the one above. */
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

interface Connection {
  outgoing: ServerResponse | Http2ServerResponse;
}

export async function startInsurance(options: InsuranceOptions = {}): Promise<Insurance> {
  const { port = 0, seed = 1, sales = 600, clock = Date.now } = options;
  const { url: base_url, close } = await serveFetch(answer, { port });
  const linkBase = options.linkBase ?? base_url;

  const begin = (formulas = options.formulas ?? "one") => {
    const state = createServiceState(seed, linkBase, clock, formulas);
    seedYear(state, seed, sales);
    return { state, linkBase: base_url };
  };
  const service: Service = begin();
  const log = createRequestLog();
  const faults = new Faults();
  const endpoints = createApi(service);
  const outside = hostedPages(service).route(
    "/control",
    controlRoutes({
      service,
      faults,
      traffic: log,
      reset(formulas) {
        Object.assign(service, begin(formulas));
        faults.clear();
        log.clear();
      },
    }),
  );

  async function answer(request: Request, { outgoing }: Connection): Promise<Response> {
    const path = new URL(request.url).pathname;
    const operation = operationOf(request.method, path);
    if (operation === null || !(outgoing instanceof ServerResponse)) return outside.fetch(request);
    const fault = faults.take([operation], path);
    const entry: LoggedRequest = {
      at: new Date(service.state.now()).toISOString(),
      method: request.method,
      path,
      operation,
      status: null,
      fault: fault?.kind ?? null,
    };
    log.add(entry);
    const work = async () => endpoints.fetch(request);
    const response = fault ? await respondWithFault(fault, work, outgoing) : await work();
    if (response !== RESPONSE_ALREADY_SENT) entry.status = response.status;
    return response;
  }

  const [first] = allStores(service.state);
  if (!first) throw new Error("The state has no store");
  return {
    base_url,
    control_url: `${base_url}/control`,
    store_id: first.id,
    token_test: first.tokens.test,
    token_production: first.tokens.production,
    organisation_token: service.state.organisations[0]?.token ?? "",
    stores: service.state.organisations.flatMap(({ token, stores }) =>
      stores.map(({ id, external_id, name, tokens }) => ({
        store_id: id,
        external_id,
        name,
        token_test: tokens.test,
        token_production: tokens.production,
        organisation_token: token,
      })),
    ),
    traffic: log,
    faults,
    plans: (environment = "test", storeId = first.id) => {
      const current = allStores(service.state).find(({ id }) => id === storeId);
      return [...(current?.records[environment].plans.values() ?? [])];
    },
    close,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: "string" }, seed: { type: "string" }, sales: { type: "string" } },
  });
  const number = z.coerce.number().int().nonnegative().optional();
  const { base_url, control_url, store_id, token_test, token_production, organisation_token } =
    await startInsurance({
      port: number.parse(values.port),
      seed: number.parse(values.seed),
      sales: number.parse(values.sales),
    });
  console.log(
    JSON.stringify({ base_url, control_url, store_id, token_test, token_production, organisation_token }),
  );
}
