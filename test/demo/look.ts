import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { customer, linesFor } from "#test/plans/references.ts";
import { documentAddress } from "#test/bench/admin/busy-shop.ts";
import { createPaidOrder, editOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import { drive } from "./drive.ts";
import { openStage } from "./stage.ts";
import { isTakenOver, visit } from "./visitors.ts";

const language = process.argv[2] ?? "en";
const folder = process.argv[3] ?? "/tmp/look";
process.on("unhandledRejection",(e)=>{console.log("UNHANDLED",e);});
process.on("exit",(c)=>console.log("exit",c));
await mkdir(folder, { recursive: true });
const stage = await openStage({ shop: { locale: language, plan: "Shopify Plus" } });
const { shop, insurance } = stage;
const { state } = shop;
const result = await drive(stage, (step) => console.log(step.text));
if (result.failure) throw new Error(JSON.stringify(result.failure));
const answer = await (await fetch(`${insurance.control_url}/catalogue`)).json();
const skus = new Map([...state.products.values()].flatMap((p) => p.variants.map((v) => [v.sku, v.id])));
const references = answer.references.map((r: any) => ({ ...r, variantId: skus.get(r.reference_id) })).filter((r: any) => r.variantId);
console.log(references.length, "references sold");
const made = () => insurance.plans("test").length;
async function buy(quantity: number, email: string) {
  const before = made();
  const { phone, plan } = linesFor(state, references, { quantity, term: 24, plans: quantity });
  const order = createPaidOrder(state, { lines: [phone, plan], email, billingAddress: customer });
  await eventually(() => made() >= before + quantity || null, "plans");
  return order;
}
const exchanged = await buy(1, "exchange@example.com");
const phone = exchanged.lines[0]!;
const other = [...state.products.values()].find(({ id }) => id === phone.productId)!.variants.find(({ id, price }) => id !== phone.variantId && price === phone.price)!;
other.tracked = false;
const before = made();
editOrder(state, exchanged.id, { setQuantity: [{ lineId: phone.id, quantity: 0 }], add: [{ variantId: other.id, quantity: 1 }] });
await eventually(() => made() > before || null, "moved cover");
const partly = await buy(2, "partly@example.com");
refundOrder(state, partly.id, { lines: [{ lineId: partly.lines[0]!.id, quantity: 1 }] });
const amount = await buy(1, "amount@example.com");
refundOrder(state, amount.id, { amount: 2500 });
const browser = await openBrowser();
await new Promise((r) => setTimeout(r, 8000));
for (const [size, width] of [["desktop", 1280], ["phone", 375]] as const) {
  const { page } = await visit(browser, stage, width, 900);
  await page.addInitScript("window.isPicturedAlone = true");
  for (const [name, path] of [
    ["exchange", `/app/orders/${exchanged.id}`],
    ["partly", `/app/orders/${partly.id}`],
    ["amount", `/app/orders/${amount.id}`],
    ["tasks", "/app/tasks"],
    ["orders", "/app/orders"],
    ["home", "/app"],
  ] as const) {
    await page.goto(`${await documentAddress(stage, path)}&locale=${language}`);
    await eventually(() => page.evaluate(isTakenOver) as Promise<boolean>, path);
    await page.screenshot({ path: join(folder, `${name}-${size}-${language}.png`), fullPage: true });
  }
}
await browser.close();
await stage.close();
process.exit(0);
