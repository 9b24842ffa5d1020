/**
 * `/sandbox/…`: what a person does to the running shop from outside, for a look at what the app makes of it. `?shop=<domain>`
 * names another than the first. It is no part of the platform and needs no token.
 */
import { Hono } from "hono";
import type { Context } from "hono";
import { z } from "zod";
import { emitShopEvent } from "./events.ts";
import type { ShopSandbox } from "./sandbox.ts";

export function control(shops: ReadonlyMap<string, ShopSandbox>): Hono {
  const app = new Hono();
  const shopOf = (c: Context): ShopSandbox => {
    const domain = c.req.query("shop");
    const shop = domain === undefined ? shops.values().next().value : shops.get(domain);
    if (shop === undefined) throw new RangeError(`there is no shop ${domain ?? ""}`);
    return shop;
  };
  app.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof RangeError || error instanceof SyntaxError)
      return c.json({ error: error.message }, 400);
    throw error;
  });

  /** The merchant grants scopes, or takes them back. */
  app.put("/scopes", async (c) => {
    const { state } = shopOf(c);
    const { scopes } = z.strictObject({ scopes: z.array(z.string()) }).parse(await c.req.json());
    if (state.installation === null) throw new RangeError("the app is not installed");
    const previous = state.installation.scopes;
    state.installation = { ...state.installation, scopes };
    emitShopEvent(state, { topic: "app/scopes_update", previous, current: scopes });
    return c.body(null, 204);
  });
  return app;
}
