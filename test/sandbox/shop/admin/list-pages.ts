/** The admin's pages of products and webhooks. */
import { html } from "hono/html";
import type { ShopSandbox } from "../sandbox.ts";
import { layout } from "./page-layout.ts";
import type { Html } from "./page-layout.ts";
import { pageTexts } from "./page-texts.ts";
import { date, price } from "./page-format.ts";

export function productsPage(shop: ShopSandbox): Html {
  const text = pageTexts(shop);
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
  const text = pageTexts(shop);
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
