/** /app/events/<inbox id>: an event of the platform as it was received. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAccess } from "#app/audit/record.server.ts";
import { findEvent } from "#app/webhooks/inbox.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { shop, actor } = await requireMerchant(request);
  const event = await findEvent(shop, params["inboxId"] ?? "");
  if (!event) throw notFound();
  await recordAccess({ shop, actor }, "event_viewed", event.id);
  return { topic: event.topic, body: event.body };
}
