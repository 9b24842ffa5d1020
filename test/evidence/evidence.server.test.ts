/** A contract's evidence pack, from its page's button to the verifier that is in it. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { keepDocuments } from "#app/documents/legal-documents.server.ts";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";
import { eraseCustomer } from "#app/privacy/order-privacy.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { db } from "#app/platform/db.server.ts";
import { loader as openOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { loader as openDocument } from "#app/routes/app.orders.$orderId_.documents.$item.$name.tsx";
import { loader } from "#app/routes/app.orders.$orderId_.evidence.$item.tsx";
import { loader as keyLoader } from "#app/routes/evidence.$shop.tsx";
import { describeCategories } from "#test/documents/described-categories.ts";
import { eventually } from "#test/eventually.ts";
import { listItems, readItemStates, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { DOCUMENTS } from "#test/sandbox/insurance/catalogue.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const run = promisify(execFile);
const folder = mkdtemp(join(tmpdir(), "evidence-"));
afterAll(async () => rm(await folder, { recursive: true }));

const legal = {
  conditionsUrl: `${DOCUMENTS}/documents/smartphone/conditions-generales`,
  ipidUrl: `${DOCUMENTS}/documents/smartphone/ipid`,
};

beforeAll(async () => {
  const modal = { headline: "Assurance", bulletPoints: ["Casse", "Oxydation"], legalText: "30 jours" };
  await describeCategories(domain, modal, legal);
  await keepDocuments(domain, AbortSignal.timeout(10_000));
});

async function download(order: Order, number = 1): Promise<Response> {
  const [item] = await listItems(order);
  const params = { orderId: order.id, item: `${item?.lineId ?? "?"}-${number}` };
  return responseOf(ask(loader, `/app/orders/${params.orderId}/evidence/${params.item}`, { params }));
}

const filesOf = async (answer: Response) => unzipSync(new Uint8Array(await answer.arrayBuffer()));

/** Runs the verifier that is in the pack, as anybody would: with Node alone. */
async function check(files: Record<string, Uint8Array>, fingerprint?: string) {
  const place = await folder;
  await writeFile(join(place, "verify.mjs"), await readFile("app/evidence/verify.mjs"));
  await writeFile(join(place, "pack.zip"), zipSync(files));
  const given = ["verify.mjs", "pack.zip", ...(fingerprint === undefined ? [] : [fingerprint])];
  const result = await run(process.execPath, given, { cwd: place }).catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  return result.stdout;
}

const text = (files: Record<string, Uint8Array>, name: string): string =>
  new TextDecoder().decode(files[name] ?? new Uint8Array());
const whole = "The pack is whole.";

test("the order's page shows what was sold, with each document as it was then", async () => {
  const order = await selling.buyAndIssue({ locale: "fr-FR" });
  const params = { orderId: order.id };
  const pageIn = async (locale: string) =>
    (await ask(openOrder, `/app/orders/${order.id}?locale=${locale}`, { params })).order.items[0];
  const item = await pageIn("fr");
  expect(item).toMatchObject({
    cover: { points: ["Casse", "Oxydation"], isAsSold: true },
    documents: [
      { name: "conditions", address: legal.conditionsUrl, isKept: true },
      { name: "ipid", address: legal.ipidUrl, isKept: true },
    ],
  });
  // The shop has no words of its own in English: those of the sale stay.
  expect(await pageIn("en")).toMatchObject({ cover: { points: ["Casse", "Oxydation"], isAsSold: true } });
  const settings = storefrontSettings.parse({
    covers: { en: { [categoryKey("Smartphone casse et vol")]: { name: "", bullets: ["Breakage"] } } },
  });
  await db.storefrontSettings.upsert({
    where: { shop: domain },
    create: { shop: domain, settings },
    update: { settings },
  });
  expect(await pageIn("en")).toMatchObject({ cover: { points: ["Breakage"], isAsSold: false } });
  await db.storefrontSettings.deleteMany({ where: { shop: domain } });

  const fetchDocument = (name: string, shopDomain?: string) => {
    const document = { ...params, item: `${item?.lineId ?? ""}-1`, name };
    const path = `/app/orders/${order.id}/documents/${document.item}/${name}`;
    return responseOf(ask(openDocument, path, { params: document, domain: shopDomain }));
  };
  const answer = await fetchDocument("ipid");
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="ipid-${order.id}.html"`);
  // It must not run as a page of the app.
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  const kept = await db.legalDocument.findFirstOrThrow({ where: { shop: domain, address: legal.ipidUrl } });
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(kept.content))).toBe(true);
  expect((await fetchDocument("price")).status).toBe(404);
});

describe("The evidence pack of a contract", () => {
  it("holds the offer with its documents, the order, the customer, the request and the events", async () => {
    const order = await selling.buyAndIssue({ locale: "fr-FR" });
    const answer = await download(order);
    const [item] = await listItems(order);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="evidence-${item?.contractId ?? ""}.zip"`,
    );
    const files = await filesOf(answer);
    expect(Object.keys(files).toSorted()).toEqual([
      "README.txt",
      "consent.json",
      "contract.json",
      "customer.json",
      "documents/conditions.html",
      "documents/ipid.html",
      "events.jsonl",
      "insurer.json",
      "mails.json",
      "manifest.json",
      "manifest.sig",
      "offer.json",
      "order.json",
      "verify.mjs",
    ]);
    expect(JSON.parse(text(files, "offer.json"))).toMatchObject({
      headline: "Assurance",
      covers: ["Casse", "Oxydation"],
      language: "fr",
      priceMinor: item?.offerPriceMinor,
    });
    expect(JSON.parse(text(files, "insurer.json"))).toMatchObject({
      request: { order_reference_id: order.id },
      answer: { outcome: "created" },
    });
    expect(text(files, "customer.json")).toContain(order.email ?? "?");
    // The event of the sale names the digest of the terms in the pack.
    const { chain, files: listed } = z
      .object({
        chain: z.object({ entries: z.number() }),
        files: z.array(z.object({ name: z.string(), sha256: z.string() })),
      })
      .parse(JSON.parse(text(files, "manifest.json")));
    expect(text(files, "events.jsonl")).toContain(
      `"termsSha256":"${listed.find(({ name }) => name === "offer.json")?.sha256 ?? "?"}"`,
    );
    expect(chain.entries).toBeGreaterThan(5);
    expect(await check(files)).toContain(whole);
  });

  it("names each file in which a byte was changed, and what is missing or was added", async () => {
    const files = await filesOf(await download(await selling.buyAndIssue()));
    for (const [name, bytes] of Object.entries(files)) {
      const changed = Uint8Array.from(bytes);
      const last = Math.max(0, changed.length - 3);
      changed[last] = (changed[last] ?? 0) ^ 1;
      const said = await check({ ...files, [name]: changed });
      expect(said, name).toMatch(new RegExp(`CHANGED .*${name.replace(".", "\\.")}|cannot be read`));
      expect(said).not.toContain(whole);
    }
    const others = Object.entries(files).filter(([name]) => name !== "order.json");
    expect(await check(Object.fromEntries(others))).toContain("MISSING  order.json");
    expect(await check({ ...files, "more.txt": new Uint8Array(1) })).toContain("ADDED    more.txt");
  });

  it("is signed by the shop's published key, and by no other", async () => {
    const files = await filesOf(await download(await selling.buyAndIssue()));
    const ofShop = (name: string) => ({
      request: new Request("https://app.test/evidence"),
      params: { shop: name },
      context: {},
    });
    const published = await (await keyLoader(ofShop(domain))).text();
    const fingerprint = /fingerprint: ([0-9a-f]{64})/.exec(published)?.[1] ?? "?";
    expect(await check(files, fingerprint)).toContain(whole);
    expect(await check(files, "0".repeat(64))).toContain("not 000");
    expect((await responseOf(keyLoader(ofShop("nobody.myshopify.com")))).status).toBe(404);
  });

  it("of a cancelled contract tells the cancellation", async () => {
    const order = await selling.buyAndIssue();
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    const files = await filesOf(await download(order));
    expect(text(files, "events.jsonl")).toContain('"type":"cancellation_answered"');
    expect(JSON.parse(text(files, "contract.json"))).toMatchObject({ state: "cancelled" });
    expect(await check(files)).toContain(whole);
  });

  it("of a withdrawn contract tells the declaration", async () => {
    const order = await selling.buyAndIssue();
    const view = await readWithdrawal(domain, order.id);
    if (view === null) throw new Error("The order can be withdrawn from");
    await declareWithdrawal(view, view.items, {
      name: "Camille",
      email: order.email ?? null,
      language: "en",
    });
    const files = await filesOf(await download(order));
    expect(text(files, "events.jsonl")).toContain('"type":"withdrew"');
    expect(await check(files)).toContain(whole);
  });

  it("of an erased customer says so and still verifies, as does one that was made before", async () => {
    const order = await selling.buyAndIssue();
    const before = await filesOf(await download(order));
    await eraseCustomer(domain, { email: order.email, customerId: null, orderIds: [order.id] });
    const files = await filesOf(await download(order));
    expect(Object.keys(files)).not.toContain("customer.json");
    expect(Object.values(files).some((bytes) => Buffer.from(bytes).includes(order.email ?? "?"))).toBe(false);
    expect(await check(files)).toMatch(/NOTE +customer\.json.*erased on [^]*The pack is whole/);
    expect(await check(before)).toContain(whole);
  });

  it("is not there for an item without a contract, or of another order", async () => {
    const order = await selling.buyAndIssue();
    expect((await download(order, 9)).status).toBe(404);
  });
});
