import type { OpenedWebhook } from "#app/inbox/stored-webhooks.server.ts";

/** Processes a webhook of one topic. It may run twice for one webhook. */
export type TopicHandler = (webhook: OpenedWebhook) => Promise<void>;

/** A handler that needs the payload. If the body was erased, there is nothing to do. */
export function withPayload<T>(
  parse: (body: string) => T,
  handle: (shop: string, payload: T, inboxId: string) => Promise<void>,
): TopicHandler {
  return async ({ shop, body, id }) => {
    if (body !== "") await handle(shop, parse(body), id);
  };
}

/** Shopify's retries end after four hours, so an older webhook is no delayed delivery. */
export const DELIVERED_WITHIN_MS = 4.5 * 3_600_000;
