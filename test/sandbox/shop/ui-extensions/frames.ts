/**
 * The app's UI extensions in the stand-in's pages, each in a frame of its own with Shopify's data: order or cart lines,
 * metafields, session tokens, the Customer Account API. A block shows in the merchant's chosen place.
 */
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { discount } from "../order-sums.ts";
import { customerAccountApi } from "#test/sandbox/customer-account/api.ts";
import { staffSessionToken } from "../admin/staff.ts";
import { storeHandle } from "../admin/frame-url.ts";
import type { Html } from "../admin/page-layout.ts";
import { signCustomerToken } from "../auth/session-token.ts";
import { gid } from "../ids.ts";
import { marketPrice } from "../markets.ts";
import { findMetafield } from "../metafields.ts";
import { findVariant } from "../products.ts";
import { type Cart, type Market, type Order, propertyText, type ShopState } from "../state.ts";
import type { StorefrontSandbox } from "../storefront/sandbox.ts";
import { STOREFRONT_TOKEN } from "../storefront/storefront-api.ts";
import { requestVisit } from "../storefront/visit.ts";
import { bundle, findUiExtension } from "./bundle.ts";
import { livePage } from "./page.ts";
import type { Given } from "./page.ts";

/** The subject of a frame: one of these per target. */
interface Subject {
  /** id of an order; for the admin's blocks of an order or a draft order */
  id?: string;
  customer?: string;
  /** id of a line of the visitor's cart */
  line?: string;
}

/** The frame of a target; empty if the merchant has not placed it. */
export function extensionFrame(
  { state }: StorefrontSandbox,
  target: string,
  subject: Subject,
): Html | string {
  const isPlaced = target.startsWith("admin.") || state.placedTargets.includes(target);
  const isForPlus = target.startsWith("purchase.checkout.") && state.plan !== "Shopify Plus";
  if (state.installation === null || !isPlaced || isForPlus) return "";
  const query = new URLSearchParams(Object.entries(subject));
  return html`<iframe
    data-extension="${target}"
    title="${target}"
    src="/extensions/${target}?${query.toString()}"
    width="100%"
    height="1"
    style="display: block; border: 0"
  ></iframe>`;
}

export function extensionFrames(sandbox: StorefrontSandbox): Hono {
  const { state } = sandbox;
  const app = new Hono();
  app.use("/extensions/:target/*", async (c, next) => {
    if (findUiExtension(c.req.param("target")) === undefined) return c.text("Not found", 404);
    await next();
  });
  app.get("/extensions/:target", async (c) => {
    const target = c.req.param("target");
    return c.html(await livePage(givenTo(c, sandbox, target), await bundle(target)));
  });
  app.post("/extensions/:target/lines", (c) => {
    const { cart, market } = requestVisit(c, sandbox);
    return c.json(checkoutLines(state, cart, market));
  });
  app.post("/extensions/:target/customer-account-api", async (c) => {
    const request = z
      .object({ query: z.string(), variables: z.record(z.string(), z.unknown()).optional() })
      .parse(await c.req.json());
    return c.json(await customerAccountApi(customerOrders(state, customerOf(c, state)), request));
  });
  app.post("/extensions/:target/session-token", async (c) => {
    const isStaff = c.req.param("target").startsWith("admin.");
    const customerId = customerOf(c, state) ?? "";
    const token = isStaff ? staffSessionToken(sandbox) : signCustomerToken(sandbox, customerId);
    return c.json(await token);
  });
  return app;
}

/** The customer of a frame: the named one, or the order's. */
const customerOf = (c: Context, { orders }: ShopState): string | undefined =>
  c.req.query("customer") ?? orders.get(c.req.query("id") ?? "")?.customer?.id;

function customerOrders(state: ShopState, customerId: string | undefined) {
  return [...state.orders.values()]
    .filter(({ customer }) => customer !== null && customer.id === customerId)
    .reverse()
    .map(({ id, name, processedAt }) => ({
      id: gid("Order", id),
      name,
      processedAt,
      cover: findMetafield(state, gid("Order", id), "$app", "cover")?.value ?? null,
    }));
}

function givenTo(c: Context, sandbox: StorefrontSandbox, target: string): Given {
  const { state, appUrl } = sandbox;
  const visit = requestVisit(c, sandbox);
  const id = c.req.query("id") ?? "";
  const isStaff = target.startsWith("admin.");
  const owner = target.startsWith("admin.draft-order") ? "DraftOrder" : "Order";
  return {
    target,
    language: (isStaff ? state.locale : visit.locale).slice(0, 2),
    signals: signalsOf(),
    app: appUrl ?? "",
    appPages: `/store/${storeHandle(state.domain)}/apps/${sandbox.app.name.toLowerCase()}/`,
    selected: isStaff ? [gid(owner, id)] : [],
    cart: gid("Cart", visit.cart.token),
    storefrontToken: STOREFRONT_TOKEN,
    elsewhere: sandbox.elsewhere,
  };

  function metafieldsFor(lines: { merchandise: { product: { id: string } } }[]) {
    return shopMetafields(
      state,
      lines.map(({ merchandise }) => merchandise.product.id),
    );
  }

  function signalsOf(): Record<string, unknown> {
    const order = state.orders.get(id);
    if (target.startsWith("purchase.checkout.")) {
      const lines = checkoutLines(state, visit.cart, visit.market);
      return {
        target: lines.find((line) => line.id === gid("CartLine", c.req.query("line") ?? "")),
        lines,
        instructions: { lines: { canAddCartLine: true, canRemoveCartLine: true, canUpdateCartLine: true } },
        appMetafields: metafieldsFor(lines),
      };
    }
    if (target.startsWith("purchase.thank-you.") && order !== undefined) {
      const lines = orderLines(order);
      return { lines, checkoutToken: order.checkoutToken, appMetafields: metafieldsFor(lines) };
    }
    if (target.startsWith("customer-account.order-status.") && order !== undefined) {
      const lines = orderLines(order);
      return {
        order: { id: gid("Order", order.id), name: order.name, processedAt: order.processedAt },
        lines,
        checkoutToken: order.checkoutToken,
        authenticationState: "fully_authenticated",
        appMetafields: [
          ...["cover", "quotes"].flatMap((key) =>
            metafieldEntry(state, "order", gid("Order", order.id), key),
          ),
          ...metafieldsFor(lines),
        ],
      };
    }
    return {};
  }
}

/** A metafield in the extensions' format, as a list of one; empty: none. */
export function metafieldEntry(state: ShopState, type: string, ownerId: string, key: string) {
  const found = findMetafield(state, ownerId, "$app", key);
  return found === undefined
    ? []
    : [{ target: { type, id: ownerId }, metafield: { namespace: "$app", key, value: found.value } }];
}

/** The app's metafields of the shop and of these products. */
function shopMetafields(state: ShopState, productIds: string[]) {
  return [
    ...metafieldEntry(state, "shop", gid("Shop", state.id), "checkout"),
    ...[...new Set(productIds)].flatMap((id) => metafieldEntry(state, "product", id, "insurance_category")),
  ];
}

const noDiscounts: { discountedAmount: { amount: number } }[] = [];

/** The cart's lines, as the checkout passes them to an extension. */
export function checkoutLines(state: ShopState, cart: Cart, market?: Market) {
  return cart.lines.map((line) => {
    const found = findVariant(state, line.variantId);
    const price = found === undefined ? 0 : marketPrice(market, found.variant);
    return {
      id: gid("CartLine", line.id),
      quantity: line.quantity,
      merchandise: {
        id: gid("ProductVariant", line.variantId),
        title: found?.product.title ?? "",
        product: { id: gid("Product", found?.product.id ?? "") },
      },
      cost: { totalAmount: { amount: (price * line.quantity) / 100, currencyCode: state.currency } },
      discountAllocations: noDiscounts,
      attributes: Object.entries(line.properties).map(([key, value]) => ({
        key,
        value: propertyText(value),
      })),
      parentRelationship:
        line.parentLineId === null ? null : { parent: { id: gid("CartLine", line.parentLineId) } },
    };
  });
}

/** The order's lines, as the thank-you page passes them to an extension. */
function orderLines({ lines, currency }: Order) {
  return lines.map((line) => ({
    id: gid("CartLine", line.id),
    quantity: line.quantity,
    merchandise: {
      id: gid("ProductVariant", line.variantId),
      title: line.title,
      product: { id: gid("Product", line.productId) },
    },
    cost: {
      totalAmount: { amount: (line.price * line.quantity - discount(line)) / 100, currencyCode: currency },
    },
    discountAllocations: discount(line) === 0 ? [] : [{ discountedAmount: { amount: discount(line) / 100 } }],
    attributes: line.properties.map(({ name, value }) => ({ key: name, value })),
  }));
}
