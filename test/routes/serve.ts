/** The app's routes over real HTTP, for a page in a real browser at the app's own URL. */
import { Hono } from "hono";
import { serveFetch } from "#test/sandbox/listen.ts";
import { responseOf } from "./ask.ts";

type Handler = (args: {
  request: Request;
  params: Record<string, string>;
  context: Record<string, never>;
}) => Promise<unknown>;

/** A browser's user agent, because the library rejects bots. */
export const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36";

export interface ServedRoutes {
  /** the app's URL for the browser */
  flag: string;
  close: () => Promise<void>;
}

/** @param routes by path, such as `/quotes/:shop/:link` */
export async function serveRoutes(
  routes: Record<string, { loader: Handler; action?: Handler }>,
): Promise<ServedRoutes> {
  const app = new Hono();
  for (const [path, { loader, action }] of Object.entries(routes))
    app.all(path, async (context) => {
      const { url, method, headers } = context.req.raw;
      const body = method === "POST" ? await context.req.arrayBuffer() : undefined;
      const request = new Request(url, { method, headers, ...(body && { body }) });
      const handler = method === "POST" && action ? action : loader;
      return responseOf(handler({ request, params: context.req.param(), context: {} }));
    });
  const { port, close } = await serveFetch(app.fetch);
  return { flag: `--host-resolver-rules=MAP app.test 127.0.0.1:${port}`, close };
}
