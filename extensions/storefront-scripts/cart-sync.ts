/** Keeps plans in sync with their products after every change of the cart, also by other scripts. */
import { requestCart, type Item, linesOf, type TitledLine } from "./cart-api.ts";
import { type CartCorrections, findCorrections, removeAllPlans } from "./cart-rules.ts";
import type * as Theme from "./notify-theme.ts";
import type { Catalogue } from "./cart-catalogue.ts";
import { propose } from "./memory.ts";

/** An element that shows the cart's insurance: the block of the cart page, the panel of the drawer. */
export interface Panel {
  catalogue: Catalogue;
  /** in the shopper's language */
  texts: DOMStringMap;
  show: (lines: TitledLine[]) => Promise<void>;
  /** Shows what was said last. */
  refresh: () => void;
  /** Notes the offers that are in view. */
  noteSeen: () => void;
}
export const panels = new Set<Panel>();
/** What the last change of the cart has led to, in the shopper's language; every panel shows it until there is something new to say. */
export let said = "";

/** It is a file beside this script; only a change by the app's script needs it. */
const themeAsset = "./parasol-theme.js";

/** The cart's lines at the end of the last sync. */
let synced = "";
let queue = Promise.resolve();
let isScheduled = false;

/**
 * Queues a sync of the cart. Changes made in the meantime are handled together, so rapid clicking ends in one state.
 */
export function scheduleSync(): void {
  if (isScheduled) return;
  isScheduled = true;
  void enqueue(() => {
    isScheduled = false;
    return syncCart();
  });
}

/** Queues a change of our own and a sync after it; true where it succeeded. @param work returns the name of its text */
export async function changeCart(work: () => Promise<string>): Promise<boolean> {
  return enqueue(async () => {
    announce(await work());
    await syncCart(true);
  });
}

function enqueue(work: () => Promise<void>): Promise<boolean> {
  const result = queue.then(work).then(
    () => true,
    () => {
      // The cart stays as Shopify left it; the next change checks it again.
      announce("failed");
      return false;
    },
  );
  queue = result.then(() => undefined);
  return result;
}

function findings(lines: TitledLine[]): CartCorrections {
  const [panel] = panels;
  if (panel?.catalogue.isStopped) return { changes: removeAllPlans(lines), misfits: [], gaps: [] };
  return findCorrections(lines, (variant) => panel?.catalogue.bandsOf(variant));
}

/** Syncs only if the lines that Liquid rendered break a rule. */
export function syncIfNeeded(items: Item[]): void {
  if (findings(linesOf(items)).changes.length) scheduleSync();
}

async function syncCart(changed = false): Promise<void> {
  let now = await requestCart();
  // The shopper changed the cart since: what was said of it may no longer be true.
  if (!changed && JSON.stringify(now.items) !== synced) announce("");
  const lines = linesOf(now.items);
  const { misfits, changes, gaps } = findings(lines);
  if (changes.length) {
    await requestCart("/update", {
      updates: Object.fromEntries(changes.map(({ key, quantity }) => [key, quantity])),
    });
    now = await requestCart();
    for (const { product, offer } of misfits) propose(product, offer?.[4] ?? "none");
    announce(misfits.length ? "repriced" : "adjusted");
    changed = true;
  }
  synced = JSON.stringify(now.items);
  if (gaps.length && !changes.length) announce("partial");
  if (changed) await ((await import(/* @vite-ignore */ themeAsset)) as typeof Theme).notifyTheme(now);
  // Not awaited: the next change of the cart must not wait for the app's offers.
  for (const panel of panels) void panel.show(linesOf(now.items));
}

/** Queues what the shopper need not know of when it fails. */
export function enqueueQuietly(work: () => Promise<void>): void {
  queue = queue.then(work).catch(() => undefined);
}

/**
 * A live region outside of the panels, because the theme may replace them. Screen readers announce changes of an
 * existing region, and nothing behind an open dialog.
 */
const status = document.createElement("p");
status.className = "parasol__live";
status.role = "status";
document.body.append(status);

function announce(name: string): void {
  const [panel] = panels;
  (document.querySelector("dialog[open]") ?? document.body).append(status);
  status.textContent = "";
  const text = panel?.texts[name] ?? "";
  // The rows themselves say what has a new price.
  said = name === "repriced" ? "" : text;
  for (const each of panels) each.refresh();
  setTimeout(() => (status.textContent = text), 99);
}

// The theme's requests, whether it sends them with fetch, XMLHttpRequest or a library.
new PerformanceObserver((list) => {
  if (list.getEntries().some(({ name }) => /\/cart\/(add|change|update|clear)(?!.*parasol)/.test(name)))
    scheduleSync();
}).observe({ type: "resource" });

// Standard actions do not use the Ajax cart.
document.addEventListener("shopify:cart:lines-update", (event) => {
  const { promise, parasol } = event as Event & { promise?: Promise<unknown>; parasol?: boolean };
  if (!parasol) void promise?.then(scheduleSync, scheduleSync);
});

// The back button can show a page with an outdated cart.
window.addEventListener("pageshow", (event) => event.persisted && scheduleSync());
