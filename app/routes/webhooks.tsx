/** POST /webhooks in development; the production server handles it before Remix (app/processes/server.ts). */
import type { ActionFunctionArgs } from "@remix-run/node";
import { bodyLimits, withLimitedBody } from "#app/platform/body.server.ts";
import { receiveWebhook } from "#app/webhooks/intake.server.ts";

export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const limited = await withLimitedBody(request, bodyLimits.webhook);
  const raw = Buffer.from(await limited.arrayBuffer());
  const { status, body, headers } = await receiveWebhook(raw, Object.fromEntries(request.headers));
  return new Response(body, { status, headers });
}

/** A person who opens the URL gets a plain answer. */
export function loader(): Response {
  return new Response("Webhooks are received here by POST", { status: 405, headers: { allow: "POST" } });
}
