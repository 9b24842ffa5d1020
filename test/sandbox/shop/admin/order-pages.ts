/** The admin's pages of orders. */
import { html } from "hono/html";
import { discount, orderTotal, refunded } from "../order-sums.ts";
import type { ShopSandbox } from "../sandbox.ts";
import type { DraftOrder, Order } from "../state.ts";
import { draftPrice } from "../draft-orders.ts";
import { money } from "../money.ts";
import { findVariant } from "../products.ts";
import { extensionFrame } from "../ui-extensions/frames.ts";
import { storeHandle } from "./frame-url.ts";
import { layout } from "./page-layout.ts";
import type { Html } from "./page-layout.ts";
import { pageTexts } from "./page-texts.ts";

function price({ state }: ShopSandbox, minor: number): string {
  const format = new Intl.NumberFormat(state.locale, { style: "currency", currency: state.currency });
  return format.format(Number(money(minor, state.currency)));
}

function statusOf(shop: ShopSandbox, order: Order): Html {
  const { statuses } = pageTexts(shop);
  const badge = (status: keyof typeof statuses) =>
    html`<span class="badge ${status}" data-status="${status}">${statuses[status]}</span>`;
  return html`${badge(order.financialStatus)} ${order.cancelledAt === null ? "" : badge("cancelled")}`;
}

export function ordersPage(shop: ShopSandbox): Html {
  const text = pageTexts(shop);
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
                        <td>${order.email ?? "–"}</td>
                        <td>${statusOf(shop, order)}</td>
                        <td class="number">${price(shop, orderTotal(order))}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
      <form method="post" action="/store/${storeHandle(shop.shopDomain)}/draft_orders">
        <button>${text.createDraft}</button>
        ${[...shop.state.draftOrders.values()].map(
          ({ id, name }) =>
            html`<a href="/store/${storeHandle(shop.shopDomain)}/draft_orders/${id}">${name}</a> `,
        )}
      </form>
    </main>`,
  );
}

export function orderPage(shop: ShopSandbox, order: Order, problem: string | null): Html {
  const text = pageTexts(shop);
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
      <div class="card">${extensionFrame(shop, "admin.order-details.block.render", { id: order.id })}</div>
    </main>`,
  );
}

/** A draft order that staff enter during a call; the app's block adds the insurance. */
export function draftOrderPage(shop: ShopSandbox, draft: DraftOrder): Html {
  const text = pageTexts(shop);
  const base = `/store/${storeHandle(shop.shopDomain)}`;
  return layout(
    shop,
    "orders",
    html`<main>
      <p><a href="${base}/orders">← ${text.orders}</a></p>
      <h1>${text.draft} ${draft.name}</h1>
      <div class="card flush">
        <table>
          <tbody>
            ${draft.lines.map((line) => {
              const found = findVariant(shop.state, line.variantId ?? "");
              return html`<tr>
                <td>${line.custom?.title ?? found?.product.title ?? ""} × ${line.quantity}</td>
                <td class="number">${price(shop, draftPrice(shop.state, line) * line.quantity)}</td>
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      <div class="card">
        ${extensionFrame(shop, "admin.draft-order-details.block.render", { id: draft.id })}
      </div>
      <form method="post" action="${base}/draft_orders/${draft.id}/paid">
        <button class="primary" ${draft.orderId === null ? "" : html`disabled`}>${text.markAsPaid}</button>
      </form>
    </main>`,
  );
}
