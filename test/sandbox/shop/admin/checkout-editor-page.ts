/** The checkout and accounts editor, reduced to placing the app's blocks: one box for each target of an extension. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { ShopSandbox } from "../sandbox.ts";
import { uiExtensions } from "./extension-status.ts";
import { layout } from "./page-layout.ts";

/** A GET shows the placed blocks, a POST saves them. Blocks inside the checkout are for Plus shops. */
export async function checkoutEditor(c: Context, shop: ShopSandbox): Promise<Response> {
  const isPlus = shop.state.plan === "Shopify Plus";
  const targets = uiExtensions()
    .flatMap(({ targeting }) => targeting.map(({ target }) => target))
    .filter((target) => !target.startsWith("admin."))
    .filter((target) => isPlus || !target.startsWith("purchase.checkout."));
  const saved = c.req.method === "POST";
  if (saved) {
    const chosen = (await c.req.formData()).getAll("target");
    shop.state.placedTargets = targets.filter((target) => chosen.includes(target));
  }
  return c.html(
    layout(
      shop,
      "settings",
      html`<main>
        <h1>Checkout and accounts editor</h1>
        <form method="post" class="card">
          ${targets.map(
            (target) =>
              html`<p>
                <label
                  ><input
                    type="checkbox"
                    name="target"
                    value="${target}"
                    ${shop.state.placedTargets.includes(target) ? "checked" : ""}
                  />
                  ${target}</label
                >
              </p>`,
          )}
          <p role="status">${saved ? "Saved" : ""}</p>
          <button>Save</button>
        </form>
      </main>`,
    ),
  );
}
