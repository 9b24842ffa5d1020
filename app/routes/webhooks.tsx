/**
 * POST /webhooks: every webhook of the platform (shopify.app.toml). Checks the signature, stores the event with its
 * job, answers. The worker does the work.
 */
import type { ActionFunctionArgs } from "@remix-run/node";
import { storeEvent } from "#app/jobs/inbox.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { log } from "#app/platform/log.server.ts";
import { receiveWebhook } from "#app/shopify/webhook.server.ts";

export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const received = await receiveWebhook(request);
  if (!received.ok) return new Response(received.reason, { status: received.status });
  const { webhook } = received;
  try {
    // A shop whose data was deleted may still be sent a late event; there is nothing left to do for it.
    if ((await findMerchant(webhook.shop)) === null) return new Response("This shop does not have the app");
    return new Response(await storeEvent(webhook));
  } catch (error) {
    // Whatever keeps us from storing: the platform must deliver again.
    log.error({ err: error, topic: webhook.topic, shop: webhook.shop }, "webhook not stored");
    return new Response("Not stored, deliver again", { status: 503, headers: { "retry-after": "10" } });
  }
}

/** A person who opens the address gets a plain answer. */
export function loader(): Response {
  return new Response("Webhooks are received here by POST", { status: 405, headers: { allow: "POST" } });
}
