/** The shop's storefront: pages of the published theme, the Ajax cart, the app proxy and the checkout. */
import { existsSync, readFileSync } from "node:fs";
import { extname, join, normalize, sep } from "node:path";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { extensionFrames } from "../ui-extensions/frames.ts";
import { account } from "./account.ts";
import { appProxy } from "./app-proxy.ts";
import { ajaxCart, type RenderSections } from "./cart/ajax.ts";
import { checkout } from "./checkout.ts";
import { EXTENSION_ASSETS, openExtension } from "./extension.ts";
import { liquidGlobals } from "./globals.ts";
import { collectionDrop, productDrop } from "./liquid/drops.ts";
import { collectionProducts, listedProducts, publishedProduct } from "./products.ts";
import type { StorefrontSandbox } from "./sandbox.ts";
import { storefrontApi } from "./storefront-api.ts";
import { type Page, Theme } from "./theme.ts";
import { addressPrefix, ROOT_HEADER, type Visit, requestVisit } from "./visit.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

export function storefront(sandbox: StorefrontSandbox): Hono {
  const extension = openExtension(sandbox);
  const themes = new Map<string, Theme>();
  const themeOf = (visit: Visit): Theme => {
    const theme = themes.get(visit.theme) ?? new Theme(visit.theme, extension);
    themes.set(visit.theme, theme);
    return theme;
  };

  const show = (c: Context, page: Page, status: 200 | 404 = 200) => {
    const visit = requestVisit(c, sandbox);
    const globals = liquidGlobals(visit, page);
    const one = visit.query.get("section_id");
    if (one !== null) {
      const html = themeOf(visit).renderSection(visit, page, globals, one);
      return html === null ? c.text("Not found", 404) : c.html(html);
    }
    const several = visit.query.get("sections");
    if (several !== null)
      return c.json(renderAll(themeOf(visit), visit, page, several.split(",").slice(0, 5)));
    return c.html(themeOf(visit).renderPage(visit, page, globals), status);
  };

  const renderSections: RenderSections = (visit, ids, url) => {
    const path = new URL(url ?? "/", `http://${visit.host}`);
    const at: Visit = {
      ...visit,
      path: path.pathname.replace(addressPrefix, "") || "/",
      query: path.searchParams,
    };
    return Promise.resolve(renderAll(themeOf(at), at, pageAt(at), ids));
  };

  const app = new Hono();
  app.use(compress({ threshold: 512 }));
  app.get("/", (c) => show(c, pageAt(requestVisit(c, sandbox))));
  app.get("/collections/:handle", (c) => showFound(c));
  app.get("/products/:handle", (c) => showFound(c));
  app.get("/cart", (c) => showFound(c));
  app.post("/cart", async (c) =>
    c.redirect((await c.req.formData()).has("checkout") ? "/checkout" : "/cart", 303),
  );
  app.route("/", ajaxCart(sandbox, renderSections));
  app.route("/", appProxy(sandbox));
  app.route("/", checkout(sandbox));
  app.route("/", account(sandbox));
  app.route("/", extensionFrames(sandbox));
  app.route("/", storefrontApi(sandbox));

  app.get("/cdn/theme/:theme/assets/:file", (c) =>
    asset(
      c,
      join(import.meta.dirname, "..", "themes"),
      `${c.req.param("theme")}/assets/${c.req.param("file")}`,
    ),
  );
  app.get("/cdn/platform/:file", (c) => asset(c, join(import.meta.dirname, "platform"), c.req.param("file")));
  app.get(`${EXTENSION_ASSETS}/:file`, (c) =>
    sandbox.extensionDir === null
      ? c.text("Not found", 404)
      : asset(c, join(sandbox.extensionDir, "assets"), c.req.param("file")),
  );
  // A URL may begin with a language or market; links and requests of pages keep it.
  const prefixed = new Hono();
  prefixed.all("*", (c) => {
    const url = new URL(c.req.url);
    const root = addressPrefix.exec(url.pathname)?.[0];
    if (root === undefined) return app.fetch(c.req.raw);
    url.pathname = url.pathname.slice(root.length) || "/";
    const headers = new Headers(c.req.raw.headers);
    headers.set(ROOT_HEADER, root);
    const { method, body } = c.req.raw;
    return app.fetch(new Request(url, { method, headers, body, duplex: "half" }));
  });
  return prefixed;

  function showFound(c: Context) {
    const page = pageAt(requestVisit(c, sandbox));
    return show(c, page, page.template === "404" ? 404 : 200);
  }
}

/** The page of a storefront URL. */
function pageAt(visit: Visit): Page {
  const { state } = visit.sandbox;
  const [, kind, handle = ""] = visit.path.split("/");
  if (kind === "" || kind === undefined) return { template: "index", title: state.name, objects: {} };
  if (kind === "cart")
    return { template: "cart", title: visit.locale === "fr" ? "Panier" : "Cart", objects: {} };
  if (kind === "products") {
    const product = publishedProduct(state, handle);
    if (product !== undefined)
      return {
        template: "product",
        title: product.title,
        objects: { product: productDrop(visit, product, visit.query.get("variant")) },
      };
  }
  if (kind === "collections") {
    const collection = [...state.collections.values()].find((each) => each.handle === handle);
    if (collection !== undefined)
      return {
        template: "collection",
        title: collection.title,
        objects: {
          collection: {
            ...collectionDrop(visit, collection),
            products: collectionProducts(state, collection).map((product) => productDrop(visit, product)),
          },
        },
      };
    if (handle === "all") {
      const products = listedProducts(state).map((product) => productDrop(visit, product));
      const title = visit.locale === "fr" ? "Tous les produits" : "All products";
      return {
        template: "collection",
        title,
        objects: {
          collection: {
            title,
            handle: "all",
            url: "/collections/all",
            products,
            products_count: products.length,
          },
        },
      };
    }
  }
  return { template: "404", title: "404", objects: {} };
}

function renderAll(theme: Theme, visit: Visit, page: Page, ids: string[]): Record<string, string | null> {
  const globals = liquidGlobals(visit, page);
  return Object.fromEntries(ids.map((id) => [id, theme.renderSection(visit, page, globals, id)]));
}

function asset(c: Context, folder: string, file: string): Response {
  const path = normalize(join(folder, file));
  const type = types[extname(path)];
  if (!path.startsWith(folder + sep) || type === undefined || !existsSync(path))
    return c.text("Not found", 404);
  return c.body(new Uint8Array(readFileSync(path)), 200, {
    "content-type": type,
    "cache-control": "public, max-age=60",
    "access-control-allow-origin": "*",
  });
}
