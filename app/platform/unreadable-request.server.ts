/** What is answered where the web server's framework could make nothing of a request, or failed at it. */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { log } from "./log.server.ts";

/** Express's own refusals, such as of `/%ff`, and a host header that makes no address. */
const isTheirs = z.union([
  z.object({ status: z.int().min(400).max(499) }),
  z.object({ code: z.literal("ERR_INVALID_URL") }),
]);

/**
 * Answers 400, or 500 where the fault is ours, with one line in the log. Left to Express, the error would be printed
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
