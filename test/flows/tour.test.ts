/** What the demo shows beside the app's pages and the theme, driven once: each step fails where an extension shows nothing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { merchantSteps } from "#test/demo/merchant.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { runSteps } from "#test/demo/steps.ts";
import { tourSteps } from "#test/demo/tour.ts";
import { visit } from "#test/demo/visitors.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ shop: { locale: "en", plan: "Shopify Plus" } });
});
afterAll(() => stage.close());

test("insurance chosen at the Plus checkout shows on the customer's pages and the staff's blocks", async () => {
  const browser = await openBrowser();
  try {
    const [merchant, shopper] = [await visit(browser, stage), await visit(browser, stage)];
    const steps = [...merchantSteps(stage, merchant), ...tourSteps(stage, { merchant, shopper })];
    const result = await runSteps(steps, () => undefined);
    expect(result.failure).toBeNull();
    // The stand-ins' own records are the judge: a nested line was paid, and the service has its plan.
    const order = [...stage.shop.state.orders.values()].at(-1);
    expect(order?.lines.map(({ parentLineId }) => parentLineId === null)).toEqual([true, false]);
    const plans = stage.insurance.plans("test").filter((plan) => plan.order_reference_id === order?.id);
    expect(plans.map(({ status }) => status)).toEqual(["active"]);
    expect([...merchant.complaints, ...shopper.complaints]).toEqual([]);
  } finally {
    await browser.close();
  }
});
