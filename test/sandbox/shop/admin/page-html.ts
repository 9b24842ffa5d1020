/** The HTML of the admin's pages. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { money } from "../money.ts";
import { discount, orderTotal, refunded } from "../orders.ts";
import type { ShopSandbox } from "../sandbox.ts";
import type { Order } from "../state.ts";
import { storeHandle } from "./frame-url.ts";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const french = {
  home: "Accueil",
  orders: "Commandes",
  products: "Produits",
  webhooks: "Webhooks",
  apps: "Applications",
  shop: "Voir la boutique",
  standIn: "Plateforme de démonstration",
  order: "Commande",
  date: "Date",
  customer: "Client",
  total: "Total",
  status: "Statut",
  lines: "Articles",
  none: "Aucune commande pour l'instant.",
  cancel: "Annuler la commande",
  refund: "Rembourser",
  quantity: "Quantité",
  price: "Prix",
  left: "Reste",
  amount: "Montant (vide : prix des articles choisis)",
  refunded: "Remboursé",
  product: "Produit",
  type: "Type",
  stock: "Stock",
  variants: "Variantes",
  topic: "Sujet",
  tries: "Essais",
  answer: "Réponse",
  install: "Installer",
  asks: "demande ces autorisations :",
  save: "Enregistrer",
  discard: "Annuler les changements",
  unsaved: "Modifications non enregistrées",
  menu: "Menu",
  statuses: {
    pending: "En attente",
    paid: "Payée",
    partially_refunded: "Remboursée en partie",
    refunded: "Remboursée",
    voided: "Sans suite",
    cancelled: "Annulée",
  },
  note: "Note",
};
const english: typeof french = {
  home: "Home",
  orders: "Orders",
  products: "Products",
  webhooks: "Webhooks",
  apps: "Apps",
  shop: "View the shop",
  standIn: "Demonstration platform",
  order: "Order",
  date: "Date",
  customer: "Customer",
  total: "Total",
  status: "Status",
  lines: "Items",
  none: "No orders yet.",
  cancel: "Cancel order",
  refund: "Refund",
  quantity: "Quantity",
  price: "Price",
  left: "Left",
  amount: "Amount (empty: the price of the chosen items)",
  refunded: "Refunded",
  product: "Product",
  type: "Type",
  stock: "Stock",
  variants: "Variants",
  topic: "Topic",
  tries: "Tries",
  answer: "Answer",
  install: "Install",
  asks: "asks for these permissions:",
  save: "Save",
  discard: "Discard",
  unsaved: "Unsaved changes",
  menu: "Menu",
  statuses: {
    pending: "Pending",
    paid: "Paid",
    partially_refunded: "Partially refunded",
    refunded: "Refunded",
    voided: "Voided",
    cancelled: "Cancelled",
  },
  note: "Note",
};

function wordsOf({ state }: ShopSandbox): typeof french {
  return state.locale.startsWith("fr") ? french : english;
}

export function layout(shop: ShopSandbox, current: string, main: Html): Html {
  const text = wordsOf(shop);
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
            ${link("orders", "orders", text.orders)} ${link("products", "products", text.products)}
            ${link("webhooks", "webhooks", text.webhooks)}
            <li><a href="${shop.origin}" target="_blank">${text.shop} ↗</a></li>
          </ul>
          <h2>${text.apps}</h2>
          <ul>
            ${link("app", `apps/${handle}`, shop.app.name)}
            <li><ul id="app-nav"></ul></li>
          </ul>
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
      <div class="app-head">
        <h1>${shop.app.name}</h1>
        <span id="app-title"></span><span id="app-buttons"></span>
      </div>
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
  const text = wordsOf(shop);
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
        <p>${shop.app.name} ${text.asks}</p>
        <ul>
          ${shop.app.scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
        </ul>
        <button class="primary">${text.install}</button>
      </form>
    </main>`,
  );
}

function date(shop: ShopSandbox, time: string): string {
  return new Intl.DateTimeFormat(shop.state.locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: shop.state.timezone,
  }).format(new Date(time));
}

function price(shop: ShopSandbox, minor: number): string {
  return new Intl.NumberFormat(shop.state.locale, {
    style: "currency",
    currency: shop.state.currency,
  }).format(Number(money(minor, shop.state.currency)));
}

function statusOf(shop: ShopSandbox, order: Order): Html {
  const { statuses } = wordsOf(shop);
  const badge = (status: keyof typeof statuses) =>
    html`<span class="badge ${status}" data-status="${status}">${statuses[status]}</span>`;
  return html`${badge(order.financialStatus)} ${order.cancelledAt === null ? "" : badge("cancelled")}`;
}

export function ordersPage(shop: ShopSandbox): Html {
  const text = wordsOf(shop);
  const orders = [...shop.state.orders.values()].reverse().slice(0, 200);
  return layout(
    shop,
    "orders",
    html`<main>
      <h1>${text.orders}</h1>
      ${
        orders.length === 0
          ? html`<p class="card">${text.none}</p>`
          : html`<div class="card flush">
              <table>
                <thead>
                  <tr>
                    <th>${text.order}</th>
                    <th class="wide">${text.date}</th>
                    <th>${text.customer}</th>
                    <th>${text.status}</th>
                    <th class="number">${text.total}</th>
                  </tr>
                </thead>
                <tbody>
                  ${orders.map(
                    (order) =>
                      html`<tr data-order-id="${order.id}">
                        <td>
                          <a href="/store/${storeHandle(shop.shopDomain)}/orders/${order.id}"
                            >${order.name}</a
                          >
                        </td>
                        <td class="wide">${date(shop, order.createdAt)}</td>
                        <td>${order.email ?? "–"}</td>
                        <td>${statusOf(shop, order)}</td>
                        <td class="number">${price(shop, orderTotal(order))}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </main>`,
  );
}

export function orderPage(shop: ShopSandbox, order: Order, problem: string | null): Html {
  const text = wordsOf(shop);
  const here = `/store/${storeHandle(shop.shopDomain)}/orders/${order.id}`;
  const refundable = order.financialStatus === "paid" || order.financialStatus === "partially_refunded";
  return layout(
    shop,
    "orders",
    html`<main>
      <p><a href="/store/${storeHandle(shop.shopDomain)}/orders">← ${text.orders}</a></p>
      <h1>${text.order} ${order.name} ${statusOf(shop, order)}</h1>
      ${problem === null ? "" : html`<p class="problem" role="alert">${problem}</p>`}
      <form class="card flush" method="post" action="${here}/refund" id="refund">
        <table>
          <thead>
            <tr>
              <th>${text.lines}</th>
              <th class="number wide">${text.price}</th>
              <th class="number wide">${text.quantity}</th>
              <th class="number">${text.left}</th>
              <th class="number">${text.refund}</th>
            </tr>
          </thead>
          <tbody>
            ${order.lines.map(
              (line) =>
                html`<tr class="${line.parentLineId === null ? "" : "nested"}" data-line-id="${line.id}">
                  <td>
                    ${line.title} ${line.variantTitle === "" ? "" : html`· ${line.variantTitle}`}
                    <div class="muted">${line.sku ?? ""}</div>
                    <div class="muted narrow">${line.quantity} × ${price(shop, line.price)}</div>
                    ${line.properties.map(({ name, value }) => html`<div class="muted">${name}: ${value}</div>`)}
                    ${discount(line) === 0 ? "" : html`<div class="muted">− ${price(shop, discount(line))}</div>`}
                  </td>
                  <td class="number wide">${price(shop, line.price)}</td>
                  <td class="number wide">${line.quantity}</td>
                  <td class="number">${line.currentQuantity}</td>
                  <td class="number">
                    <input
                      type="number"
                      name="line-${line.id}"
                      min="0"
                      max="${line.currentQuantity}"
                      value="0"
                      aria-label="${text.refund}: ${line.title}"
                      ${refundable ? "" : html`disabled`}
                    />
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </form>
      <div class="card">
        <p>
          ${text.total}:
          <strong>${price(shop, orderTotal(order))}</strong
          >${refunded(order) === 0 ? "" : html` · ${text.refunded}: ${price(shop, refunded(order))}`}
        </p>
        <p class="muted">
          ${order.email ?? ""}
          ${order.shippingAddress === null ? "" : html`· ${order.shippingAddress.first_name} ${order.shippingAddress.last_name}, ${order.shippingAddress.address1}, ${order.shippingAddress.zip} ${order.shippingAddress.city}`}
        </p>
        <div class="row">
          <label
            >${text.amount}
            <input
              type="number"
              form="refund"
              name="amount"
              min="0"
              step="0.01"
              ${refundable ? "" : html`disabled`}
          /></label>
          <button form="refund" ${refundable ? "" : html`disabled`}>${text.refund}</button>
          <form method="post" action="${here}/cancel">
            <button class="danger" ${order.cancelledAt === null ? "" : html`disabled`}>${text.cancel}</button>
          </form>
        </div>
      </div>
    </main>`,
  );
}

export function productsPage(shop: ShopSandbox): Html {
  const text = wordsOf(shop);
  return layout(
    shop,
    "products",
    html`<main>
      <h1>${text.products} <span class="muted">${shop.state.products.size}</span></h1>
      <div class="card flush">
        <table>
          <thead>
            <tr>
              <th>${text.product}</th>
              <th class="wide">${text.type}</th>
              <th>${text.status}</th>
              <th class="number">${text.variants}</th>
              <th class="number">${text.price}</th>
            </tr>
          </thead>
          <tbody>
            ${[...shop.state.products.values()]
              .reverse()
              .slice(0, 200)
              .map(
                (product) =>
                  html`<tr data-product-id="${product.id}">
                    <td>
                      <a href="${shop.origin}/products/${product.handle}" target="_blank">${product.title}</a>
                      <div class="muted">${product.vendor}</div>
                    </td>
                    <td class="wide">${product.productType}</td>
                    <td><span class="badge ${product.status}">${product.status.toLowerCase()}</span></td>
                    <td class="number">${product.variants.length}</td>
                    <td class="number">
                      ${price(shop, Math.min(...product.variants.map((variant) => variant.price)))}
                    </td>
                  </tr>`,
              )}
          </tbody>
        </table>
      </div>
    </main>`,
  );
}

export function webhooksPage(shop: ShopSandbox): Html {
  const text = wordsOf(shop);
  return layout(
    shop,
    "webhooks",
    html`<main>
      <h1>${text.webhooks}</h1>
      <div class="card flush">
        <table>
          <thead>
            <tr>
              <th>${text.topic}</th>
              <th class="wide">${text.date}</th>
              <th>${text.status}</th>
              <th class="number">${text.tries}</th>
              <th>${text.answer}</th>
            </tr>
          </thead>
          <tbody>
            ${shop.webhooks.log
              .slice(-200)
              .reverse()
              .map((delivery) => {
                const last = delivery.attempts.at(-1);
                return html`<tr>
                  <td>
                    ${delivery.topic}
                    <div class="muted">${delivery.webhookId}</div>
                  </td>
                  <td class="wide">${date(shop, delivery.triggeredAt)}</td>
                  <td><span class="badge ${delivery.state}">${delivery.state}</span></td>
                  <td class="number">${delivery.attempts.length}</td>
                  <td>${last === undefined ? "" : `${last.status ?? last.error ?? ""} · ${last.ms} ms`}</td>
                </tr>`;
              })}
          </tbody>
        </table>
      </div>
    </main>`,
  );
}
