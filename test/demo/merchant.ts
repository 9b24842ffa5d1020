/** What the merchant does: installs, connects, maps, syncs; later looks at the order and cancels it. */
import type { Trail } from "./drive.ts";
import { until } from "./poll.ts";
import type { Stage } from "./stage.ts";
import type { Found } from "./steps.ts";
import { appFrame } from "./visitors.ts";
import type { Visitor } from "./visitors.ts";

type Steps = [string, () => Promise<Found>][];

export function merchantSteps({ shop, insurance }: Stage, { page }: Visitor): Steps {
  const app = appFrame(page);
  return [
    [
      "install",
      async () => {
        await page.goto(shop.adminUrl);
        await page.getByRole("button", { name: "Installer" }).click();
        await app.getByRole("heading", { level: 1 }).first().waitFor();
        return {
          text: `The merchant installs Parasol in ${shop.shopDomain}`,
          ids: { shop: shop.shopDomain },
        };
      },
    ],
    [
      "connect",
      async () => {
        await page.goto(`${shop.adminUrl}/app/connection`);
        const account = app.getByRole("region", { name: "Test" });
        await account.getByLabel("Identifiant du magasin").fill(insurance.store_id);
        await account.getByLabel("Jeton d’accès").fill(insurance.token_test);
        await account.getByLabel("Jeton de l’organisation").fill(insurance.organisation_token);
        await account.getByRole("button", { name: "Connecter" }).click();
        await account.getByText("Connecté. Le service accepte le jeton.").waitFor();
        return {
          text: `Connected to store ${insurance.store_id} at the insurance service`,
          ids: { store: insurance.store_id },
        };
      },
    ],
  ];
}

export function orderSteps(stage: Stage, { page }: Visitor, trail: Trail): Steps {
  const { shop, insurance } = stage;
  const app = appFrame(page);
  const plans = () => insurance.plans("test").filter((plan) => plan.order_reference_id === trail.orderId);
  return [
    [
      "plan",
      async () => {
        const [plan] = await until("the plan at the insurance service", () =>
          plans().length > 0 ? plans() : null,
        );
        trail.planId = plan?.id ?? "";
        return {
          text: `The insurance service has plan ${trail.planId}: ${plan?.status ?? ""}`,
          ids: { plan: trail.planId, status: plan?.status ?? "" },
        };
      },
    ],
    [
      "order",
      async () => {
        await page.goto(`${shop.adminUrl}/app/orders`);
        await app.getByText(trail.planId).first().waitFor();
        return { text: `The admin shows the order with plan ${trail.planId}`, ids: { order: trail.orderId } };
      },
    ],
    [
      "cancel",
      async () => {
        await page.goto(`${shop.adminUrl.replace(/\/apps\/.*/, "")}/orders/${trail.orderId}`);
        await page.getByRole("button", { name: "Annuler" }).click();
        const cancelled = await until("the cancelled plan", () => {
          const all = plans();
          return all.length > 0 && all.every(({ status }) => status === "cancelled") ? all : null;
        });
        return {
          text: `The order is cancelled, and so is plan ${cancelled.map(({ id }) => id).join(", ")}`,
          ids: { order: trail.orderId, plan: trail.planId, status: cancelled[0]?.status ?? "" },
        };
      },
    ],
  ];
}
