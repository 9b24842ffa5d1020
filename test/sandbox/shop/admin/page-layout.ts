/** The frame of the admin's pages, and the page with the app. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { ShopSandbox } from "../sandbox.ts";
import { storeHandle } from "./frame-url.ts";
import { pageTexts } from "./page-texts.ts";
import { nameOf, staffMembers } from "./staff.ts";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export function layout(shop: ShopSandbox, current: string, main: Html): Html {
  const text = pageTexts(shop);
  const base = `/store/${storeHandle(shop.shopDomain)}`;
  const handle = shop.app.name.toLowerCase();
  const link = (id: string, href: string, label: string) =>
    html`<li><a href="${base}/${href}" ${current === id ? html`aria-current="page"` : ""}>${label}</a></li>`;
  return html`<!doctype html>
    <html lang="${shop.state.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${shop.state.name} · Admin</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/admin-assets/admin.css" />
      </head>
      <body data-base="${base}" data-locale="${shop.state.locale}">
        <header class="top">
          <button class="menu" aria-label="${text.menu}" onclick="document.body.classList.toggle('nav-open')">
            ☰
          </button>
          <strong>${shop.state.name}</strong>
          <span class="note">${text.standIn}</span>
          <div id="save-bar" role="region" aria-label="${text.unsaved}">
            <span>${text.unsaved}</span><button id="discard">${text.discard}</button
            ><button id="save">${text.save}</button>
          </div>
        </header>
        <nav>
          <ul>
            ${link("orders", "orders", text.orders)}
            <li><a href="${shop.origin}" target="_blank">${text.shop} ↗</a></li>
          </ul>
          <h2>${text.apps}</h2>
          <ul>
            ${link("app", `apps/${handle}`, shop.app.name)}
            <li><ul id="app-nav"></ul></li>
          </ul>
          <form method="post" action="${base}/staff">
            <label>
              ${text.staff}
              <select name="id" onchange="this.form.submit()">
                ${staffMembers.map(
                  (member) =>
                    html`<option value="${member.id}" ${member.id === shop.loggedIn.id ? "selected" : ""}>
                      ${nameOf(member)}
                      (${member.scopes === null ? text.owner : member.scopes.join(", ") || "–"})
                    </option>`,
                )}
              </select>
            </label>
          </form>
        </nav>
        ${main}
        <div id="toasts"></div>
        <script src="/admin-assets/admin.js"></script>
      </body>
    </html>`;
}

export function appPage(shop: ShopSandbox, src: string): Html {
  return layout(
    shop,
    "app",
    html`<main class="app">
      <iframe
        id="app-frame"
        name="app-iframe"
        title="${shop.app.name}"
        src="${src}"
        data-handle="${shop.app.name.toLowerCase()}"
        allow="clipboard-write"
      ></iframe>
    </main>`,
  );
}

export function installPage(shop: ShopSandbox): Html {
  const text = pageTexts(shop);
  return layout(
    shop,
    "app",
    html`<main>
      <h1>${text.install} ${shop.app.name}</h1>
      <form
        class="card"
        method="post"
        action="/store/${storeHandle(shop.shopDomain)}/apps/${shop.app.name.toLowerCase()}/install"
      >
        <p>${shop.app.name} ${text.requests}</p>
        <ul>
          ${shop.app.scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
        </ul>
        <button class="primary">${text.install}</button>
      </form>
    </main>`,
  );
}
