/**
 * The checkout: contact and address, a fake payment, then the order page. As on Shopify, it does not use the merchant's
 * theme.
 */
import { type Context, Hono } from "hono";
import { html, raw } from "hono/html";
import { z } from "zod";
import { createPaidOrder, OrderRefused } from "../orders.ts";
import { discount, orderTotal } from "../order-sums.ts";
import { marketPrice } from "../markets.ts";
import { findVariant } from "../products.ts";
import { type Address, propertyText } from "../state.ts";
import { lineKey } from "./cart/cart.ts";
import { cartJson } from "./cart/cart-json.ts";
import { checkCart } from "../functions/cart-validation.ts";
import { formatMoney, moneyFormat } from "#app/offers/preview/money-format.ts";
import { extensionFrame } from "../ui-extensions/frames.ts";
import { customerPage } from "./customer-layout.ts";
import type { Html } from "./customer-layout.ts";
import type { StorefrontSandbox } from "./sandbox.ts";
import { type Visit, requestVisit } from "./visit.ts";

const blankIsNull = z
  .string()
  .trim()
  .default("")
  .transform((text) => (text === "" ? null : text));
const form = z.object({
  email: z.email(),
  phone: blankIsNull,
  first_name: blankIsNull,
  last_name: z.string().trim().min(1),
  address1: z.string().trim().min(1),
  address2: blankIsNull,
  zip: z.string().trim().min(1),
  city: z.string().trim().min(1),
  country_code: z.string().length(2).default("FR"),
});

const words = {
  fr: {
    checkout: "Paiement",
    email: "Adresse e-mail",
    phone: "Téléphone (facultatif)",
    first_name: "Prénom",
    last_name: "Nom",
    address1: "Adresse",
    address2: "Complément d'adresse (facultatif)",
    zip: "Code postal",
    city: "Ville",
    summary: "Votre commande",
    total: "Total",
    pay: "Payer",
    note: "Boutique de démonstration : aucun paiement n'est pris.",
    empty: "Votre panier est vide.",
    thanks: "Merci pour votre commande",
    order: "Commande",
    confirmation: "Une confirmation part à",
    back: "Retour à la boutique",
    status: "Suivre la commande",
    account: "Mon compte",
  },
  en: {
    checkout: "Checkout",
    email: "Email",
    phone: "Phone (optional)",
    first_name: "First name",
    last_name: "Last name",
    address1: "Address",
    address2: "Apartment, suite, etc. (optional)",
    zip: "Postal code",
    city: "City",
    summary: "Your order",
    total: "Total",
    pay: "Pay now",
    note: "Demonstration shop: no payment is taken.",
    empty: "Your cart is empty.",
    thanks: "Thank you for your order",
    order: "Order",
    confirmation: "A confirmation goes to",
    back: "Back to the shop",
    status: "Order status",
    account: "My account",
  },
};

export function checkout(sandbox: StorefrontSandbox): Hono {
  const app = new Hono();

  app.get("/checkout", async (c) => {
    const visit = requestVisit(c, sandbox);
    if (visit.cart.lines.length === 0)
      return c.html(
        customerPage(
          visit,
          wordsOf(visit).checkout,
          html`<p>${wordsOf(visit).empty}</p>
            <a href="/">${wordsOf(visit).back}</a>`,
        ),
      );
    return c.html(checkoutPage(visit, problemOf(await checkCart(visit, "CHECKOUT_INTERACTION"))));
  });

  app.post("/checkout", async (c) => {
    const visit = requestVisit(c, sandbox);
    const parsed = form.safeParse(Object.fromEntries(await c.req.formData()));
    if (!parsed.success) return c.html(checkoutPage(visit, z.prettifyError(parsed.error)), 422);
    const refusals = await checkCart(visit, "CHECKOUT_COMPLETION", parsed.data);
    if (refusals.length > 0) return c.html(checkoutPage(visit, problemOf(refusals)), 422);
    return pay(c, visit, parsed.data);
  });

  app.get("/checkout/orders/:id", (c) => {
    const visit = requestVisit(c, sandbox);
    const order = sandbox.state.orders.get(c.req.param("id"));
    if (order === undefined) return c.text("Not found", 404);
    const text = wordsOf(visit);
    return c.html(
      customerPage(
        visit,
        text.thanks,
        html`<h1>${text.thanks}</h1>
          <p data-order-id="${order.id}">${text.order} <strong>${order.name}</strong></p>
          <p>${text.confirmation} ${order.email}</p>
          ${summary(
            order.lines.map((line) => ({
              title:
                line.variantTitle === "Default Title" || line.variantTitle === ""
                  ? line.title
                  : `${line.title} · ${line.variantTitle}`,
              quantity: line.quantity,
              amount: line.price * line.quantity - discount(line),
              nested: line.parentLineId !== null,
              offer: "",
            })),
            orderTotal(order),
            order.currency,
            text,
          )}
          ${extensionFrame(sandbox, "purchase.thank-you.block.render", { id: order.id })}
          ${
            order.customer === null
              ? ""
              : html`<p>
                  <a href="/account/${order.customer.id}/orders/${order.id}">${text.status}</a> ·
                  <a href="/account/${order.customer.id}">${text.account}</a>
                </p>`
          }
          <p><a href="/">${text.back}</a></p>`,
      ),
    );
  });
  return app;
}

const problemOf = (messages: string[]): string | null => (messages.length > 0 ? messages.join("\n") : null);

/** The effects of the payment provider's "paid". */
function pay(c: Context, visit: Visit, customer: z.infer<typeof form>): Response | Promise<Response> {
  const { state } = visit.sandbox;
  const { email, ...who } = customer;
  const address: Address = { ...who, company: null };
  try {
    const order = createPaidOrder(state, {
      gateway: isLive(state) ? "shopify_payments" : "bogus",
      email,
      billingAddress: address,
      shippingAddress: address,
      locale: visit.locale,
      noteAttributes: Object.entries(visit.cart.attributes).map(([name, value]) => ({ name, value })),
      lines: visit.cart.lines.map((line) => {
        const variant = findVariant(state, line.variantId)?.variant;
        return {
          variantId: line.variantId,
          quantity: line.quantity,
          ...(variant && { price: marketPrice(visit.market, variant) }),
          properties: Object.entries(line.properties).map(([name, value]) => ({
            name,
            value: propertyText(value),
          })),
          cartLineId: line.id,
          parentCartLineId: line.parentLineId,
        };
      }),
    });
    visit.cart.lines = [];
    visit.cart.attributes = {};
    return c.redirect(`/checkout/orders/${order.id}`, 303);
  } catch (error) {
    if (error instanceof OrderRefused) return c.html(checkoutPage(visit, error.message), 422);
    throw error;
  }
}

/** Once the app sells with its production account, whose plan products have no environment in their handles. */
function isLive({ products }: Visit["sandbox"]["state"]): boolean {
  return [...products.values()].some(
    ({ status, handle }) =>
      status === "UNLISTED" && /^parasol-/.test(handle) && !/-test(-\d+)?$/.test(handle),
  );
}

function wordsOf({ locale }: Visit) {
  return locale === "fr" ? words.fr : words.en;
}

function checkoutPage(visit: Visit, problem: string | null): Html {
  const text = wordsOf(visit);
  const cart = cartJson(visit);
  const field = (name: keyof typeof text, type: string, autocomplete: string, required: boolean) =>
    html`<label
      >${text[name]}<input
        name="${name}"
        type="${type}"
        autocomplete="${autocomplete}"
        ${required ? raw("required") : ""}
    /></label>`;
  return customerPage(
    visit,
    text.checkout,
    html`<h1>${text.checkout}</h1>
      ${problem === null ? "" : html`<p role="alert" class="problem">${problem}</p>`}
      ${summary(
        cart.items.map((item) => ({
          title: item.title,
          quantity: item.quantity,
          amount: item.final_line_price,
          nested: "parent_relationship" in item,
          offer: extensionFrame(visit.sandbox, "purchase.checkout.cart-line-item.render-after", {
            line: visit.cart.lines.find((line) => lineKey(line) === item.key)?.id ?? "",
          }),
        })),
        cart.total_price,
        visit.currency,
        text,
      )}
      <form method="post" action="/checkout">
        ${field("email", "email", "email", true)}
        <div class="pair">
          ${field("first_name", "text", "given-name", false)}
          ${field("last_name", "text", "family-name", true)}
        </div>
        ${field("address1", "text", "address-line1", true)}
        ${field("address2", "text", "address-line2", false)}
        <div class="pair">
          ${field("zip", "text", "postal-code", true)} ${field("city", "text", "address-level2", true)}
        </div>
        ${field("phone", "tel", "tel", false)}
        <input type="hidden" name="country_code" value="FR" />
        <button type="submit" id="pay">
          ${text.pay} ${formatMoney(cart.total_price, moneyFormat(visit.currency))}
        </button>
        <p class="note">${text.note}</p>
      </form>
      ${raw(redraw)}`,
  );
}

/** An extension has changed the cart: shows its lines and the total again, and keeps the buyer's input. */
const redraw = `<script>
  addEventListener("cart-changed", async () => {
    const shown = new DOMParser().parseFromString(await (await fetch("/checkout")).text(), "text/html");
    for (const part of [".summary", "#pay"])
      document.querySelector(part).replaceWith(shown.querySelector(part));
  });
</script>`;

interface SummaryLine {
  title: string;
  quantity: number;
  amount: number;
  nested: boolean;
  /** the HTML of the app's extension below it */
  offer: Html | string;
}

function summary(lines: SummaryLine[], total: number, currency: string, text: (typeof words)["fr"]): Html {
  const price = (amount: number) => formatMoney(amount, moneyFormat(currency));
  return html`<section class="summary" aria-label="${text.summary}">
    <ul>
      ${lines.map(
        (line) =>
          html`<li class="${line.nested ? "nested" : ""}">
              <span>${line.title} × ${line.quantity}</span><span>${price(line.amount)}</span>
            </li>
            ${line.offer === "" ? "" : html`<li class="offer">${line.offer}</li>`}`,
      )}
    </ul>
    <p class="total"><span>${text.total}</span><strong>${price(total)}</strong></p>
  </section>`;
}
