/** The customer's account: their orders, an order's page, and the app's page "My insurance". There is no sign-in here. */
import { Hono } from "hono";
import { html } from "hono/html";
import { formatMoney, moneyFormat } from "#app/offers/preview/money-format.ts";
import { orderTotal } from "../order-sums.ts";
import { extensionFrame } from "../ui-extensions/frames.ts";
import { customerPage } from "./customer-layout.ts";
import type { StorefrontSandbox } from "./sandbox.ts";
import { requestVisit } from "./visit.ts";

const words = {
  fr: { account: "Mon compte", insurance: "Mon assurance", order: "Commande" },
  en: { account: "My account", insurance: "My insurance", order: "Order" },
};

export function account(sandbox: StorefrontSandbox): Hono {
  const { state } = sandbox;
  const app = new Hono();
  const ordersOf = (customerId: string) =>
    [...state.orders.values()].filter(({ customer }) => customer?.id === customerId).reverse();

  app.get("/account/:customer", (c) => {
    const visit = requestVisit(c, sandbox);
    const text = visit.locale === "fr" ? words.fr : words.en;
    const customer = c.req.param("customer");
    return c.html(
      customerPage(
        visit,
        text.account,
        html`<h1>${text.account}</h1>
          <p><a href="/account/${customer}/insurance">${text.insurance}</a></p>
          <ul>
            ${ordersOf(customer).map(
              (order) =>
                html`<li>
                  <a href="/account/${customer}/orders/${order.id}">${text.order} ${order.name}</a>,
                  ${formatMoney(orderTotal(order), moneyFormat(order.currency))}
                </li>`,
            )}
          </ul>`,
      ),
    );
  });

  app.get("/account/:customer/insurance", (c) => {
    const visit = requestVisit(c, sandbox);
    const text = visit.locale === "fr" ? words.fr : words.en;
    const customer = c.req.param("customer");
    return c.html(
      customerPage(
        visit,
        text.insurance,
        html`<p><a href="/account/${customer}">← ${text.account}</a></p>
          ${extensionFrame(sandbox, "customer-account.page.render", { customer })}`,
      ),
    );
  });

  app.get("/account/:customer/orders/:order", (c) => {
    const visit = requestVisit(c, sandbox);
    const text = visit.locale === "fr" ? words.fr : words.en;
    const customer = c.req.param("customer");
    const order = ordersOf(customer).find(({ id }) => id === c.req.param("order"));
    if (order === undefined) return c.text("Not found", 404);
    return c.html(
      customerPage(
        visit,
        `${text.order} ${order.name}`,
        html`<p><a href="/account/${customer}">← ${text.account}</a></p>
          <h1>${text.order} ${order.name}</h1>
          <ul>
            ${order.lines.map((line) => html`<li>${line.title} × ${line.currentQuantity}</li>`)}
          </ul>
          ${extensionFrame(sandbox, "customer-account.order-status.block.render", { id: order.id })}`,
      ),
    );
  });
  return app;
}
