import type { IncomingMessage } from "node:http";

/** What the web's `Request` refuses to be. */
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);
/** A name or address, and a port. */
const host = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `_data` is the parameter of Remix's former data requests, which fail in an app with single fetch. */
const asksForFormerData = (url: string) => new URLSearchParams(url.split("?")[1] ?? "").has("_data");

/** Whether Remix can make a request of it; anybody can send one that it fails at. */
export function isAnswerable({
  method = "",
  headers,
  url = "",
}: Pick<IncomingMessage, "method" | "headers" | "url">): boolean {
  return !forbiddenMethods.has(method) && host.test(headers.host ?? "") && !asksForFormerData(url);
}
