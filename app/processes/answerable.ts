import type { IncomingMessage } from "node:http";

/** What the web's `Request` refuses to be. */
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);
/** A name or address, and a port. */
const host = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Whether Remix can make a request of it; anybody can send one that it fails at. */
export function isAnswerable({ method = "", headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  return !forbiddenMethods.has(method) && host.test(headers.host ?? "");
}
