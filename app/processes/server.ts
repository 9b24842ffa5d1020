/**
 * The web server of a built app (`npm start`): webhooks, static files, then Remix.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express from "express";
import type { NextFunction, Request, Response } from "express";
import { env } from "#app/platform/env.server.ts";
import { createBoundedServer, gracefulStop, isAnswerable } from "./bounded-server.ts";

/**
 * Remix's bundle with the exports of app/entry.server.tsx: webhooks, app proxy requests, the graceful stop, the log.
 * All code that opens the database is in this bundle.
 */
interface Bundle extends ServerBuild {
  entry: {
    module: ServerBuild["entry"]["module"] & {
      isWebhookRequest: (request: IncomingMessage) => boolean;
      handleWebhookRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
      admitProxyRequest: (address: string, forwardedFor: string) => Promise<object>;
      answerUnreadable: (
        error: unknown,
        request: { method: string; path: string },
        response: ServerResponse,
      ) => void;
      drain: () => Promise<boolean>;
      stopIfTaken: (error: unknown, variable: string, port: number) => void;
      whyNotReady: () => string | null;
      withLogContext: (fields: { requestId: string }, work: () => void) => void;
    };
  };
}

function isBundle(module: unknown): module is Bundle {
  return typeof module === "object" && module !== null && "routes" in module && "entry" in module;
}

/** Where `npm run build` has written Remix's bundle; tests and demo have builds of their own. */
const buildDir = resolve(process.env["BUILD_DIR"] ?? "build");

const bundleFile = join(buildDir, "server/index.js");
if (!existsSync(bundleFile)) {
  process.stderr.write(`Parasol cannot start: ${buildDir} holds no build. Run npm run build first.\n`);
  process.exit(1);
}

// Loading the bundle opens the database, applies migrations and starts the worker (app/processes/start.server.ts).
const loaded: unknown = await import(pathToFileURL(bundleFile).href);
if (!isBundle(loaded)) throw new Error(`${buildDir} holds no Remix server bundle: run npm run build`);
const bundle = loaded;

const app = express();
app.disable("x-powered-by");
// Liveness for a load balancer or container. It shows no details, because the endpoint has no authentication.
app.get("/healthz", (_request, response) => void response.set("cache-control", "no-store").end());
// Readiness: fails once the process has received the signal to stop, and while the database cannot be reached. It is
// public, so it names the part that is missing, and no address.
app.get("/readyz", (_request, response) => {
  const problem = stopping.isReady() ? bundle.entry.module.whyNotReady() : "the process stops";
  response
    .status(problem === null ? 200 : 503)
    .set("cache-control", "no-store")
    .type("text/plain")
    .send(problem === null ? "ready\n" : `not ready: ${problem}\n`);
});
// A refusal here costs an eighth of a refusal in Remix.
app.use("/proxy", ({ originalUrl, headers, method }, response, next) => {
  const forwardedFor = [headers["x-forwarded-for"] ?? ""].flat().join();
  bundle.entry.module
    .admitProxyRequest(originalUrl, forwardedFor)
    .then(async (admitted) => {
      if (!(admitted instanceof globalThis.Response)) {
        response.locals["admitted"] = admitted;
        next();
        return;
      }
      // The body of a refused cart is not read, so its connection closes.
      if (method !== "GET") response.setHeader("connection", "close");
      response
        .setHeaders(admitted.headers)
        .status(admitted.status)
        .end(await admitted.text());
    })
    .catch(next);
});
app.use(compression());
app.use("/assets", express.static(join(buildDir, "client/assets"), { immutable: true, maxAge: "1y" }));
app.use(express.static(join(buildDir, "client"), { maxAge: "1h" }));
// The admin's pages and data hold customers' data, and a document's URL holds a session token.
app.use(["/app", "/app.data", "/auth"], (_request, response, next) => {
  response.set("cache-control", "no-store");
  next();
});
app.use((request, _response, next) => {
  next(isAnswerable(request) ? undefined : { status: 400 });
});
const remix = createRequestHandler({
  build: bundle,
  mode: env.NODE_ENV,
  getLoadContext: (_request, { locals }) => ({ admitted: locals["admitted"] as unknown }),
});
app.all("*", (request, response, next) => {
  const requestId = randomUUID();
  // Shows the request id on a failed page; the log lines of the request have the same id.
  response.setHeader("x-request-id", requestId);
  bundle.entry.module.withLogContext({ requestId }, () => void remix(request, response, next));
});
// eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express counts an error handler's parameters
app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
  bundle.entry.module.answerUnreadable(error, request, response);
});

const limits = {
  // Far above what one process can serve.
  connections: 5_000,
  headersMs: 10_000,
  // Shopify and browsers send a whole request within seconds; half a request must not hold a connection longer.
  requestMs: 20_000,
  // Longer than a load balancer keeps idle connections (usually 60 seconds). Otherwise it would send a request on a
  // connection that the server has just closed.
  idleMs: 65_000,
  // Longer than the slowest response takes to start.
  stalledMs: 120_000,
  checkMs: 5_000,
};
const server = createBoundedServer(limits, (request, response) => {
  // Browsers respect this header over HTTPS alone.
  response.setHeader("strict-transport-security", "max-age=63072000");
  response.setHeader("x-content-type-options", "nosniff");
  // Webhooks bypass the middleware of pages.
  if (bundle.entry.module.isWebhookRequest(request)) {
    void bundle.entry.module.handleWebhookRequest(request, response);
  } else app(request, response);
});
const stopping = gracefulStop(server);
server.once("error", (error) => {
  bundle.entry.module.stopIfTaken(error, "PORT", env.PORT);
  throw error;
});
server.listen(env.PORT, env.HOST, () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${address.port}` })}\n`);
});

/** The longest requests are pages that query the insurer or Shopify. */
const REQUESTS_END_WITHIN_MS = 10_000;

async function shutDown(): Promise<void> {
  await stopping.stop({ delayMs: env.STOP_DELAY_SECONDS * 1_000, limitMs: REQUESTS_END_WITHIN_MS });
  process.exit((await bundle.entry.module.drain()) ? 0 : 1);
}
process.once("SIGTERM", () => void shutDown());
process.once("SIGINT", () => void shutDown());
