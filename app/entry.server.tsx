import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { RemixServer, isRouteErrorResponse } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { log } from "./platform/log.server.ts";
import { setDocumentHeaders } from "./shopify/admin-request.server.ts";
import { NonceProvider } from "./ui/nonce.ts";

// For app/processes/server.ts, which must not have modules of its own beside the bundle's: one database, one queue.
export { handleWebhookRequest, isWebhookRequest } from "#app/webhooks/intake.server.ts";
export { admitProxyRequest } from "./shopify/proxy.server.ts";
export { withLogContext } from "./platform/log.server.ts";
export { answerUnreadable } from "./platform/unreadable-request.server.ts";
import "#app/processes/start.server.ts";
export { drain } from "#app/processes/drain.server.ts";

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
