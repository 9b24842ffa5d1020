/**
 * The main job's figures (`npm run bench -- main-job`): what an offer costs the product page, what a sync costs at the
 * platform, how soon a paid order is a plan. Everything over HTTP, the app as a built process with the embedded
 * database.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openBrowser } from "#test/browser.ts";
import type { Trail } from "#test/demo/drive.ts";
import { merchantSteps } from "#test/demo/merchant.ts";
import { eventually } from "#test/eventually.ts";
import { shopperSteps } from "#test/demo/shopper.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { runSteps } from "#test/demo/steps.ts";
import { appFrame, visit } from "#test/demo/visitors.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { Figure } from "./figure.ts";

const ORDERS = 30;

export async function bench(): Promise<Figure[]> {
  const stage = await openStage();
  const browser = await openBrowser();
  try {
    const merchant = await visit(browser, stage);
    const shopper = await visit(browser, stage);
    const trail: Trail = { productHandle: "", orderId: "", planId: "" };
    const { usage } = stage.shop.api;
    const spent = async (work: () => Promise<unknown>) => {
      const before = { ...usage };
      await work();
      return { calls: usage.calls - before.calls, points: usage.points - before.points };
    };
    const steps = merchantSteps(stage, merchant);
    const run = async (part: typeof steps) => {
      const { failure } = await runSteps(part, () => undefined);
      if (failure) throw new Error(`${failure.step}: ${failure.message}`);
    };

    await run(steps.slice(0, -1));
    const first = await spent(() => run(steps.slice(-1)));
    const second = await spent(async () => {
      await appFrame(merchant.page).getByRole("button", { name: "Synchroniser maintenant" }).click();
      await eventually(async () => {
        const log = await readFile(stage.app.logFile, "utf8");
        return log.split('"kind":"catalogue","state":"done"').length > 2;
      }, "the end of the second sync");
    });

    const [offer, ...rest] = shopperSteps(stage, shopper, trail);
    if (offer) await run([offer]);
    const page = await pageCost(stage, shopper.requests, trail.productHandle);
    await run(rest);
    const delays = await ordersToPlans(stage, trail);

    return [
      {
        name: "requests before the offer is visible",
        value: 0 + page.requestsWithoutScript,
        unit: "requests",
        goal: "0",
        holds: page.requestsWithoutScript === 0,
      },
      {
        name: "script before the offer is visible",
        value: page.inlineScript,
        unit: "bytes",
        goal: "0",
        holds: page.inlineScript === 0,
      },
      {
        name: "script of the product page, gzip",
        value: page.scriptGzip,
        unit: "bytes",
        goal: "at most 3600",
        holds: page.scriptGzip <= 3_600,
      },
      {
        name: "first sync of 90 references: Admin API calls",
        value: first.calls,
        unit: "calls",
        goal: "",
        holds: null,
      },
      {
        name: "first sync of 90 references: cost",
        value: first.points,
        unit: "points",
        goal: "",
        holds: null,
      },
      {
        name: "unchanged second sync: Admin API calls",
        value: second.calls,
        unit: "calls",
        goal: "",
        holds: null,
      },
      { name: "unchanged second sync: cost", value: second.points, unit: "points", goal: "", holds: null },
      {
        name: `from the webhook's 200 to the active plan, median of ${ORDERS}`,
        value: delays.median,
        unit: "ms",
        goal: "at most 100",
        holds: delays.median <= 100,
      },
      { name: "the same, slowest", value: delays.most, unit: "ms", goal: "", holds: null },
    ];
  } finally {
    await browser.close();
    await stage.close();
  }
}

/** The page as a browser without JavaScript gets it, and the app's own scripts that the page loads. */
async function pageCost({ shop }: Stage, requests: string[], handle: string) {
  const html = await (await fetch(`${shop.origin}/products/${handle}`)).text();
  const block = /<parasol-offer[\s\S]*?<\/parasol-offer>/.exec(html)?.[0] ?? "";
  if (!block.includes("data-terms")) throw new Error("The page's HTML holds no offer");
  const inline = [...block.matchAll(/<script(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)];
  const scripts = new Set(
    requests
      .filter((url) => /parasol-[a-z]+\.js/.test(url))
      .map((url) => /parasol-[a-z]+\.js/.exec(url)?.[0] ?? ""),
  );
  const assets = await Promise.all(
    // The drawer's script belongs to the drawer, which is on every page.
    [...scripts]
      .filter((name) => name.includes("product"))
      .map((name) => readFile(join("extensions/parasol-storefront/assets", name))),
  );
  return {
    requestsWithoutScript: requests.filter((url) => url.includes("/apps/parasol")).length,
    inlineScript: inline.reduce((sum, [, text = ""]) => sum + text.length, 0),
    scriptGzip: assets.reduce((sum, asset) => sum + gzipSync(asset).length, 0),
  };
}

/** Pays the shopper's order again and again, one after another. */
async function ordersToPlans({ shop, insurance }: Stage, trail: Trail) {
  const model = shop.state.orders.get(trail.orderId);
  if (!model) throw new Error("The shopper's order is gone");
  const delays: number[] = [];
  for (let index = 0; index < ORDERS; index++) {
    const order = createPaidOrder(shop.state, {
      email: model.email,
      phone: model.phone,
      billingAddress: model.billingAddress,
      shippingAddress: model.shippingAddress,
      lines: model.lines.map(({ variantId, quantity, properties, id, parentLineId }) => ({
        variantId,
        quantity,
        properties,
        cartLineId: id,
        parentCartLineId: parentLineId,
      })),
    });
    const plan = await eventually(
      () => insurance.plans("test").find((candidate) => candidate.order_reference_id === order.id) ?? null,
      `the plan of ${order.name}`,
    );
    const delivery = await eventually(() => {
      const found = shop.webhooks.log.find(
        ({ topic, body, state }) =>
          topic === "orders/paid" && state === "delivered" && body.includes(order.id),
      );
      return found?.attempts.at(-1) ?? null;
    }, "the webhook's answer");
    delays.push(plan.activated_at - (Date.parse(delivery.at) + delivery.ms));
  }
  delays.sort((a, b) => a - b);
  return { median: delays[Math.floor(delays.length / 2)] ?? Number.NaN, most: delays.at(-1) ?? Number.NaN };
}
