/**
 * The main job in a real browser: a merchant connects and syncs, a shopper insures a product and pays, the merchant
 * sees the plan and cancels the order.
 */
import { openBrowser } from "#test/browser.ts";
import { merchantSteps, orderSteps } from "./merchant.ts";
import { shopperSteps } from "./shopper.ts";
import { tourSteps, withdrawalStep } from "./tour.ts";
import type { Stage } from "./stage.ts";
import { runSteps } from "./steps.ts";
import type { DriveResult, Step } from "./steps.ts";
import { visit } from "./visitors.ts";

/** The results that a step passes to the next. */
export interface Trail {
  productHandle: string;
  orderId: string;
  planId: string;
}

/**
 * @param report called after each successful step
 * @param isTour also shows the app outside of its own pages and the theme, which needs a Plus shop
 */
export async function drive(
  stage: Stage,
  report: (step: Step, index: number) => void,
  { isTour = false } = {},
): Promise<DriveResult> {
  const browser = await openBrowser();
  try {
    const merchant = await visit(browser, stage);
    const shopper = await visit(browser, stage);
    const trail: Trail = { productHandle: "", orderId: "", planId: "" };
    return await runSteps(
      [
        ...merchantSteps(stage, merchant),
        ...shopperSteps(stage, shopper, trail),
        ...orderSteps(stage, merchant, trail),
        ...(isTour ? [...tourSteps(stage, { merchant, shopper }), withdrawalStep(stage, shopper)] : []),
        [
          "console",
          () => {
            const complaints = [...merchant.complaints, ...shopper.complaints];
            if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join("\n")}`);
            return Promise.resolve({ text: "The consoles of both browsers are clean", ids: {} });
          },
        ],
      ],
      report,
    );
  } finally {
    await browser.close();
  }
}
