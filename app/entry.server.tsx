import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import {
  type ActionFunctionArgs,
  createReadableStreamFromReadable,
  type EntryContext,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { z } from "zod";
import { log } from "./platform/log.server.ts";
import { setDocumentHeaders } from "./shopify/admin-request.server.ts";
import { NonceProvider } from "./ui/nonce.ts";

// For app/processes/server.ts, which must not have modules of its own beside the bundle's: one database, one queue.
export { handleWebhookRequest, isWebhookRequest } from "#app/webhooks/intake.server.ts";
export { admitProxyRequest } from "./shopify/proxy.server.ts";
export { withLogContext } from "./platform/log.server.ts";
import "#app/processes/start.server.ts";
export { drain, stopIfTaken, whyNotReady } from "./processes/start-and-end.server.ts";

/** Errors of loaders, actions and pages. Left to Remix, they would be printed whole, with what they carry. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted) return;
  const { method, url } = request;
  const path = new URL(url).pathname;
  // No page has this address, or none takes this method. The address is public, so this is no failure of the app.
  if (isRouteErrorResponse(error) && error.status < 500)
    log.info({ status: error.status, method, path }, "Request refused");
  else log.error({ err: error, method, path }, "Failed to answer a request");
}

/** How long a page may stream before its open parts are given up. */
export const streamTimeout = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  setDocumentHeaders(request, headers, nonce);
  const whole = isbot(request.headers.get("user-agent") ?? "");
  return new Promise((resolve, reject) => {
    let answered = false;
    let failed = false;
    const page = (
      <NonceProvider value={nonce}>
        <RemixServer context={context} url={request.url} nonce={nonce} />
      </NonceProvider>
    );
    const stream = renderToPipeableStream(page, {
      nonce,
      [whole ? "onAllReady" : "onShellReady"]: () => {
        answered = true;
        const body = new PassThrough();
        headers.set("Content-Type", "text/html; charset=utf-8");
        resolve(
          new Response(createReadableStreamFromReadable(body), { headers, status: failed ? 500 : status }),
        );
        stream.pipe(body);
      },
      onShellError: reject,
      onError(error) {
        failed = true;
        // Before the answer began, Remix reports it.
        if (answered) log.error({ err: error }, "Failed to render a part of the page");
      },
    });
    setTimeout(() => stream.abort(), streamTimeout + 1_000).unref();
  });
}

/** Express's own refusals, such as of `/%ff`, and a host header that makes no address. */
const isTheirs = z.union([
  z.object({ status: z.int().min(400).max(499) }),
  z.object({ code: z.literal("ERR_INVALID_URL") }),
]);

/**
 * For a request that Express could make nothing of, or failed at: answers 400, or 500 where the fault is the app's, with
 * one line in the log. Left to Express, the error would be printed
 * as text with its stack.
 */
export function answerUnreadable(
  error: unknown,
  { method, path }: { method: string; path: string },
  response: ServerResponse,
): void {
  const isOurs = !isTheirs.safeParse(error).success;
  if (isOurs) log.error({ err: error, method, path }, "Failed to answer a request");
  else log.info({ status: 400, method, path }, "Request refused");
  if (response.headersSent) response.destroy();
  else response.writeHead(isOurs ? 500 : 400, { "cache-control": "no-store" }).end();
}
