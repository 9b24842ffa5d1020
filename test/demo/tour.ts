/**
 * The app outside of its own pages and the theme: the merchant places its blocks, a shopper insures a product at the
 * checkout, and customer and staff see the contract. A step fails if an extension shows nothing.
 */
import type { Page } from "playwright-core";
import { messagesFor } from "#app/locales/index.server.ts";
import { eventually } from "#test/eventually.ts";
import { pageTexts } from "#test/sandbox/shop/admin/page-texts.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { readSettings } from "../../extensions/checkout-offer/src/data.ts";
import { localeOf } from "./merchant.ts";
import { fillCheckout, insurableProduct } from "./shopper.ts";
import type { Stage } from "./stage.ts";
import type { Found } from "./steps.ts";
import { appFrame, openInAdmin, type Visitor } from "./visitors.ts";

/** Optional permissions of the features in the tour. */
const SCOPES = ["write_orders", "read_draft_orders", "write_draft_orders"];

/** The extension of a target in the page's frame, once it shows this text (or any). */
async function extensionIn(page: Page, target: string, expected = "") {
  const frame = page.frameLocator(`iframe[data-extension="${target}"]`);
  const text = await eventually(async () => {
    const shown = (await frame.locator("body").innerText()).trim();
    return shown !== "" && shown.includes(expected) ? shown : null;
  }, `the extension ${target} with "${expected}"`);
  return { frame, text: text.replace(/\s+/g, " ") };
}

export function tourSteps(
  { shop, insurance }: Stage,
  { merchant, shopper }: { merchant: Visitor; shopper: Visitor },
): [string, () => Promise<Found>][] {
  const { state } = shop;
  const messages = messagesFor(localeOf(shop));
  const words = pageTexts(shop);
  const admin = shop.adminUrl.replace(/\/apps\/.*/, "");
  const app = appFrame(merchant.page);
  const { page } = shopper;
  let orderId = "";
  let contract = "";
  const seen = (what: string, text: string): Found => ({ text: `${what}: ${text.slice(0, 160)}`, ids: {} });
  return [
    [
      "permissions",
      async () => {
        await merchant.page.goto(`${admin}/orders`);
        await merchant.page.request.post(`${admin}/scopes`, { data: SCOPES });
        await openInAdmin(merchant.page, `${shop.adminUrl}/app/settings`);
        await app.getByRole("checkbox", { name: messages.settings.orders.sellsOnDrafts }).check();
        const saved = merchant.page.waitForResponse(
          (response) => response.request().method() === "POST" && response.url().includes("/app/settings"),
        );
        await merchant.page.getByRole("button", { name: words.save, exact: true }).click();
        await saved;
        return {
          text: "The merchant grants the optional permissions; staff may sell on draft orders",
          ids: { scopes: SCOPES },
        };
      },
    ],
    [
      "display",
      async () => {
        await openInAdmin(merchant.page, `${shop.adminUrl}/app/touchpoints?place=checkout`);
        await app.getByRole("checkbox", { name: messages.touchpoints.on }).check();
        await merchant.page.getByRole("button", { name: words.save, exact: true }).click();
        // The texts are written for other places, too: the test checks only that the offer is on there.
        await eventually(
          () =>
            readSettings(findMetafield(state, gid("Shop", state.id), "$app", "checkout")?.value).on || null,
          "the checkout's settings in the shop",
        );
        await merchant.page.goto(`${admin}/settings/checkout/editor`);
        for (const target of await merchant.page.locator("input[name=target]").all()) await target.check();
        await merchant.page.getByRole("button", { name: "Save" }).last().click();
        await merchant.page.getByText("Saved", { exact: true }).waitFor();
        return {
          text: "The offer at the checkout is on, and all blocks are placed",
          ids: { targets: state.placedTargets },
        };
      },
    ],
    [
      "checkout offer",
      async () => {
        await page.goto(`${shop.origin}/products/${insurableProduct(shop).handle}`);
        const added = page.waitForResponse((response) => response.url().includes("/cart/add"));
        await page.locator('form[action*="/cart/add"] [type=submit]').first().click();
        await added;
        await page.goto(`${shop.origin}/checkout`);
        const { frame, text } = await extensionIn(page, "purchase.checkout.cart-line-item.render-after");
        await frame.locator("s-summary").first().click();
        await frame.locator("s-choice").nth(1).click();
        await frame.locator("s-button").first().click();
        await page.locator(".summary .nested").waitFor();
        return seen("The checkout offers insurance, and the chosen one is a line of the order", text);
      },
    ],
    [
      "thank-you page",
      async () => {
        orderId = await fillCheckout(page);
        const { text } = await extensionIn(page, "purchase.thank-you.block.render");
        return seen("The thank-you page says", text);
      },
    ],
    [
      "order page",
      async () => {
        const [plan] = await eventually(() => {
          const made = insurance
            .plans("test")
            .filter((each) => each.order_reference_id === orderId && each.status === "active");
          return made.length > 0 ? made : null;
        }, "the plan at the insurer");
        contract = plan?.id ?? "";
        await eventually(() => {
          const cover = findMetafield(state, gid("Order", orderId), "$app", "cover");
          return cover?.value.includes(contract) === true || null;
        }, "the cover on the order");
        await page.locator(`a[href$="/orders/${orderId}"]`).click();
        const { text } = await extensionIn(page, "customer-account.order-status.block.render", contract);
        return seen("The order's page says", text);
      },
    ],
    [
      "account",
      async () => {
        const customer = state.orders.get(orderId)?.customer?.id ?? "";
        await page.goto(`${shop.origin}/account/${customer}`);
        await page.locator('a[href$="/insurance"]').click();
        const { text } = await extensionIn(page, "customer-account.page.render", contract);
        return seen("The customer's account says", text);
      },
    ],
    [
      "staff order",
      async () => {
        await merchant.page.goto(`${admin}/orders/${orderId}`);
        const { text } = await extensionIn(merchant.page, "admin.order-details.block.render", contract);
        return seen("The block on the order says", text);
      },
    ],
    [
      "staff draft order",
      async () => {
        await merchant.page.goto(`${admin}/orders`);
        await merchant.page.getByRole("button", { name: words.createDraft }).click();
        const target = "admin.draft-order-details.block.render";
        const { frame, text } = await extensionIn(merchant.page, target);
        const message = await frame.locator("s-text-area").getAttribute("value");
        const customer = await merchant.page.context().newPage();
        await customer.goto(/https?:\S+/.exec(message ?? "")?.[0] ?? "");
        await customer.getByRole("radio").first().check();
        await customer.getByRole("checkbox").first().check();
        await customer.getByRole("button").first().click();
        // Waits for the page's result: closing a page with a pending response can hang.
        await customer.locator("section", { hasNot: customer.locator("form") }).waitFor();
        if (![...state.draftOrders.values()].some(({ lines }) => lines.length === 2))
          throw new Error("The draft order has no line of the plan");
        await customer.close();
        return seen("The customer's link from the draft order adds insurance", text);
      },
    ],
  ];
}

/** After the tour, whose order stays insured: the customer withdraws without the order's page. */
export function withdrawalStep(
  { shop, insurance, app: { url }, mailbox }: Stage,
  { page }: Visitor,
): [string, () => Promise<Found>] {
  return [
    "withdrawal",
    async () => {
      const order = [...shop.state.orders.values()].at(-1);
      const plan = insurance.plans("test").find((each) => each.order_reference_id === order?.id);
      await page.goto(`${url}/withdrawals/${shop.shopDomain}?language=${localeOf(shop)}`);
      await page.locator("input[name=order]").fill(order?.name ?? "");
      await page.locator("input[name=email]").fill(order?.email ?? "");
      await page.locator("button").click();
      await page.locator("button[value=declare]").click();
      await page.locator("button[value=confirm]").click();
      // The first mail named the contract once it was active.
      const [contract, acknowledgement] = await eventually(() => {
        const mails = mailbox.received.filter(({ text }) => plan !== undefined && text.includes(plan.id));
        return mails.length > 1 && mails;
      }, "the contract and the acknowledgement in the customer's mailbox");
      const subjects = [contract?.subject, acknowledgement?.subject].join("; ");
      return { text: `The customer withdraws, and has the mails: ${subjects}`, ids: {} };
    },
  ];
}

/** The URLs of these places, printed after the tour. */
export function tourLinks({ shop, app: { url } }: Stage): [name: string, address: string][] {
  const admin = shop.adminUrl.replace(/\/apps\/.*/, "");
  const order = [...shop.state.orders.values()].at(-1);
  const draft = [...shop.state.draftOrders.values()].at(-1);
  if (order?.customer == null || draft === undefined) return [];
  const account = `${shop.origin}/account/${order.customer.id}`;
  return [
    ["Checkout with the offer", `${shop.origin}/checkout (after adding a phone to the cart)`],
    ["Thank-you page", `${shop.origin}/checkout/orders/${order.id}`],
    ["Order page", `${account}/orders/${order.id}`],
    ["My insurance", `${account}/insurance`],
    ["Withdrawal", `${url}/withdrawals/${shop.shopDomain}`],
    ["Staff, order", `${admin}/orders/${order.id}`],
    ["Staff, draft order", `${admin}/draft_orders/${draft.id}`],
  ];
}
