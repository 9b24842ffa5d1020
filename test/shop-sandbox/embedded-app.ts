/**
 * A small embedded app, as a server that answers pages with App Bridge: what the admin page's tests put into the
 * iframe. It is no copy of the real app; it uses each part of App Bridge once.
 */
import { createServer } from "node:http";
import { listen } from "#test/sandbox/listen.ts";
import { readSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";

export interface EmbeddedApp {
  url: string;
  /** The authorization header of each call of /api, whether it was a valid token of the shop. */
  calls: boolean[];
  /** The next calls of /api are refused once, as an invalid session is. */
  refuseNext: number;
  close: () => Promise<void>;
}

export async function startEmbeddedApp(shop: () => ShopSandbox): Promise<EmbeddedApp> {
  const server = createServer((request, response) => {
    void answer(request.url ?? "/", request.headers.authorization).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
    });
  });
  const { url, close } = await listen(server);
  const app: EmbeddedApp = {
    url,
    calls: [],
    refuseNext: 0,
    close,
  };

  async function answer(path: string, authorization: string | undefined) {
    const url = new URL(path, app.url);
    if (url.pathname === "/api") {
      if (app.refuseNext > 0) {
        app.refuseNext -= 1;
        return { status: 401, headers: { "X-Shopify-Retry-Invalid-Session-Request": "1" }, body: "" };
      }
      app.calls.push((await readSessionToken(authorization?.replace("Bearer ", "") ?? "", shop())) !== null);
      return { status: 200, headers: { "content-type": "text/plain" }, body: "called" };
    }
    // The blocks of staff on the admin's order pages, from another origin: nothing to say.
    if (url.pathname.startsWith("/staff/")) {
      const cors = {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "authorization, content-type",
      };
      return { status: 200, headers: { ...cors, "content-type": "application/json" }, body: "{}" };
    }
    const headers = { "content-type": "text/html; charset=utf-8" };
    // A page without a token goes to the bounce page, as the platform's library makes it.
    if (url.pathname === "/bounce") return { status: 200, headers, body: script() };
    const token = url.searchParams.get("id_token");
    if (token === null || (await readSessionToken(token, shop())) === null) {
      url.searchParams.delete("id_token");
      const bounce = new URL("/bounce", app.url);
      bounce.search = url.search;
      bounce.searchParams.set("shopify-reload", url.href);
      return { status: 302, headers: { location: bounce.href }, body: "" };
    }
    return { status: 200, headers, body: page(url.pathname) };
  }

  function script(): string {
    return `<script data-api-key="${shop().apiKey}" src="${new URL(shop().adminUrl).origin}/app-bridge.js"></script>`;
  }

  function page(path: string): string {
    return `<!doctype html><title>App</title><link rel="icon" href="data:,">${script()}
      <ui-nav-menu><a href="/" rel="home">Home</a><a href="/catalogue">Catalogue</a><a href="/orders">Orders</a></ui-nav-menu>
      <ui-title-bar title="Page ${path}"><button id="new" onclick="said('new')">New</button><button variant="primary" onclick="said('primary')">Do it</button></ui-title-bar>
      <h1>${path}</h1>
      <output id="said"></output>
      <form data-save-bar onsubmit="event.preventDefault(); said('saved ' + this.elements.name.value)"><input name="name" value="before" aria-label="Name"></form>
      <button id="api" onclick="fetch('/api', { method: 'POST' }).then((r) => r.text()).then(said)">Call</button>
      <button id="toast" onclick="shopify.toast.show('Saved it', { action: 'Undo', onAction: () => said('undone') })">Toast</button>
      <button id="error" onclick="shopify.toast.show('Went wrong', { isError: true })">Error</button>
      <button id="pick" onclick="shopify.resourcePicker({ type: 'product', multiple: true, query: 'velin' }).then((r) => said(r === undefined ? 'none' : r.map((p) => p.title).join()))">Pick</button>
      <button id="modal" onclick="shopify.modal.show('sure')">Modal</button>
      <button id="leave" onclick="window.open('shopify://admin/products', '_top')">Products</button>
      <button id="who" onclick="shopify.user().then((user) => said(user.name))">Who</button>
      <ui-modal id="sure"><p>Are you sure?</p><ui-title-bar title="Sure"><button variant="primary" onclick="said('sure'); shopify.modal.hide('sure')">Yes</button></ui-title-bar></ui-modal>
      <script>function said(text) { document.getElementById("said").textContent = text }</script>`;
  }
  return app;
}
