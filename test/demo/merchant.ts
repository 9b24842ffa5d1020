/** The merchant's steps: install, connect, map, sync; later open the order and cancel it. */
import type { Locale } from "#app/platform/locale.ts";
import { messagesFor } from "#app/locales/index.server.ts";
import { pageTexts } from "#test/sandbox/shop/admin/page-texts.ts";
import type { Trail } from "./drive.ts";
import { eventually } from "#test/eventually.ts";
import { insurerTexts } from "#test/insurer-texts.ts";
import type { Stage } from "./stage.ts";
import type { Found } from "./steps.ts";
import { appFrame, appIsReady, openInAdmin, type Visitor } from "./visitors.ts";

type Steps = [string, () => Promise<Found>][];

/** The language of the demo's admin: the shop's. */
export const localeOf = ({ state }: Stage["shop"]): Locale => (state.locale.startsWith("fr") ? "fr" : "en");

/** The start of a text, up to its first placeholder. */
const startOf = (text: string) => text.split("{{")[0]?.trim() ?? "";

export function merchantSteps({ shop, insurance }: Stage, { page }: Visitor): Steps {
  const app = appFrame(page);
  const locale = localeOf(shop);
  const { connection, products, catalogue, touchpoints } = messagesFor(locale);
  const words = pageTexts(shop);
  return [
    [
      "install",
      async () => {
        await page.goto(shop.adminUrl);
        await page.getByRole("button", { name: words.install }).click();
        await appIsReady(page);
        return {
          text: `The merchant installs Parasol in ${shop.shopDomain}`,
          ids: { shop: shop.shopDomain },
        };
      },
    ],
    [
      "connect",
      async () => {
        await openInAdmin(page, `${shop.adminUrl}/app/connection`);
        const account = app.getByRole("region", { name: "Test" });
        await account.getByLabel(connection.label.storeId).fill(insurance.store_id);
        await account.getByLabel(connection.label.token).fill(insurance.token_test);
        await account.getByLabel(connection.label.organisationToken).fill(insurance.organisation_token);
        await account.getByLabel(connection.testToken.label).check();
        await account.getByRole("button", { name: connection.connect }).click();
        await account.getByText(connection.result.connected).waitFor();
        return {
          text: `Connected to store ${insurance.store_id} at the insurer`,
          ids: { store: insurance.store_id },
        };
      },
    ],
    [
      "map",
      async () => {
        await openInAdmin(page, `${shop.adminUrl}/app/products`);
        await app
          .getByRole("button", {
            name: new RegExp(`^${products.suggestions.acceptAll_other.replace("{{count}}", "\\d+")}$`),
          })
          .click();
        await app.getByText(/^1\. \p{Lu}/u).waitFor();
        await app.getByText(startOf(products.preview.examples)).first().waitFor();
        const rules = await app.getByText(/^\d+\. \p{Lu}/u).allInnerTexts();
        await page.getByRole("button", { name: words.save, exact: true }).click();
        const mapped = await eventually(() => {
          const found = [...shop.state.metafields.values()].filter(({ key }) => key === "insurance_category");
          return found.length > 0 ? found.length : null;
        }, "the products' categories in the shop");
        return {
          text: `Products are mapped to insurance categories: ${rules.join("; ")}`,
          ids: { rules: rules.length, products: mapped },
        };
      },
    ],
    [
      "sync",
      async () => {
        await openInAdmin(page, `${shop.adminUrl}/app/catalogue`);
        await app.getByRole("button", { name: catalogue.sync.start }).click();
        await app.getByText(startOf(catalogue.sync.last)).waitFor({ timeout: 180_000 });
        const plans = [...shop.state.products.values()].filter(({ status }) => status === "UNLISTED");
        const references = plans.reduce((sum, { variants }) => sum + variants.length, 0);
        if (references === 0) throw new Error("No insurance product is in the shop after the sync");
        return {
          text: `${references} references are variants of ${plans.length} unlisted products of the shop`,
          ids: { references, products: plans.map(({ id }) => id) },
        };
      },
    ],
    [
      "insurer",
      async () => {
        await openInAdmin(page, `${shop.adminUrl}/app/touchpoints?place=texts`);
        await app.getByLabel(touchpoints.texts.insurer).selectOption(locale);
        for (const [name, text] of Object.entries(insurerTexts)) await app.locator(`#${name}`).fill(text);
        await page.getByRole("button", { name: words.save, exact: true }).click();
        await eventually(
          () =>
            [...shop.state.metafields.values()].some(
              ({ key, value }) => key === "storefront" && value.includes(insurerTexts.insurer),
            ) || null,
          "the insurer's name in the shop",
        );
        return { text: `Shoppers read who insures them: ${insurerTexts.insurer}`, ids: {} };
      },
    ],
  ];
}

export function orderSteps(stage: Stage, { page }: Visitor, trail: Trail): Steps {
  const { shop, insurance } = stage;
  const app = appFrame(page);
  const messages = messagesFor(localeOf(shop));
  const plans = () => insurance.plans("test").filter((plan) => plan.order_reference_id === trail.orderId);
  return [
    [
      "plan",
      async () => {
        const [plan] = await eventually(
          () => (plans().length > 0 ? plans() : null),
          "the plan at the insurer",
        );
        trail.planId = plan?.id ?? "";
        return {
          text: `The insurer has plan ${trail.planId}: ${plan?.status ?? ""}`,
          ids: { plan: trail.planId, status: plan?.status ?? "" },
        };
      },
    ],
    [
      "order",
      async () => {
        // The insurer has made it; the app may be writing that down at this moment.
        await eventually(async () => {
          await openInAdmin(page, `${shop.adminUrl}/app/orders`);
          await app.getByRole("row").nth(1).waitFor();
          return (await app.getByText(trail.planId).count()) > 0;
        }, "the plan in the admin");
        return { text: `The admin shows the order with plan ${trail.planId}`, ids: { order: trail.orderId } };
      },
    ],
    [
      "cancel",
      async () => {
        await page.goto(`${shop.adminUrl.replace(/\/apps\/.*/, "")}/orders/${trail.orderId}`);
        await page.getByRole("button", { name: pageTexts(shop).cancel }).click();
        const cancelled = await eventually(() => {
          const all = plans();
          return all.length > 0 && all.every(({ status }) => status === "cancelled") ? all : null;
        }, "the cancelled plan");
        return {
          text: `The order is cancelled, and so is plan ${cancelled.map(({ id }) => id).join(", ")}`,
          ids: { order: trail.orderId, plan: trail.planId, status: cancelled[0]?.status ?? "" },
        };
      },
    ],
    [
      "cancelled",
      async () => {
        const said = app
          .getByRole("row")
          .filter({ hasText: trail.planId })
          .getByText(messages.plans.state.cancelled, { exact: true });
        // The insurer has cancelled it; the app may be writing that down at this moment.
        await eventually(async () => {
          await openInAdmin(page, `${shop.adminUrl}/app/orders`);
          await app.getByRole("row").filter({ hasText: trail.planId }).first().waitFor();
          return (await said.count()) > 0;
        }, "the cancelled plan in the admin");
        return { text: `The admin shows plan ${trail.planId} as cancelled`, ids: { plan: trail.planId } };
      },
    ],
  ];
}
