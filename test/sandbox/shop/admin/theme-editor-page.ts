/** The theme editor, reduced to deep links: the block in the link, and the button that saves it. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { ShopSandbox } from "../sandbox.ts";
import { linkedAppBlock, linkedPlace, deepLink, saveBlock } from "../theme-editor.ts";
import { layout } from "./page-layout.ts";

/** A GET shows the link's block, a POST saves it. */
export function themeEditor(c: Context, shop: ShopSandbox): Response | Promise<Response> {
  const link = deepLink.safeParse(c.req.query());
  const block =
    link.success && shop.extensionDir !== null
      ? linkedAppBlock(link.data, shop.apiKey, shop.extensionDir)
      : null;
  const place = link.success ? linkedPlace(shop.state, link.data) : null;
  const saved = c.req.method === "POST";
  if (saved && link.success && block !== null) saveBlock(shop.state, block, link.data);
  return c.html(
    layout(
      shop,
      "themes",
      html`<main>
        <h1>Theme editor</h1>
        ${
          block === null
            ? html`<p class="card">The stand-in's editor knows deep links to the app's own blocks only.</p>`
            : html`<form method="post" class="card">
                <p>
                  ${block.handle}
                  ${link.success && "template" in link.data ? (place === null ? "has no section to be in" : `on the template ${link.data.template}`) : "as an app embed"}
                </p>
                <p role="status">${saved ? "Saved" : ""}</p>
                <button>Save</button>
              </form>`
        }
      </main>`,
    ),
  );
}
