/** Keeps plans in sync with their products after every change of the cart, also by other scripts. */
import { type Cart, requestCart, type Item, linesOf, type TitledLine } from "./cart-api.ts";
import { type CartCorrections, findCorrections, removeAllPlans } from "./cart-rules.ts";
import type * as Theme from "./notify-theme.ts";
import type { Catalogue } from "./cart-catalogue.ts";
import { propose, recall, remember } from "./memory.ts";

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

/** The name of its text. */
let lastName = "";

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
  enqueueQuietly(() => {
    isScheduled = false;
    return syncCart();
  });
}

/** Queues a change of our own and a sync after it; true where it succeeded. @param work returns the name of its text */
export function changeCart(work: () => Promise<string>): Promise<boolean> {
  const result = queue.then(async () => {
    try {
      announce(await work());
    } catch {
      announce("failed");
      return false;
    }
    await syncCart(true);
    return true;
  });
  queue = result.then(
    () => undefined,
    () => undefined,
  );
  // The change itself succeeded. The next sync reads the cart again.
  return result.catch(() => true);
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
    const updates = Object.fromEntries(changes.map(({ key, quantity }) => [key, quantity]));
    try {
      now = await requestCart("/update", { updates });
    } catch {
      // The cart stays as Shopify left it. The next change checks it again.
      announce("failed");
      return;
    }
    for (const { product, offer } of misfits) propose(product, offer?.reference ?? "none");
    announce(misfits.length ? "repriced" : "adjusted");
    changed = true;
  }
  synced = JSON.stringify(now.items);
  if (gaps.length && !changes.length) announce("partial");
  if (changed) await redrawTheme(now);
  // Not awaited: the next change of the cart must not wait for the app's offers.
  for (const panel of panels) void panel.show(linesOf(now.items));
}

/** The cart is right whether the theme can be redrawn or not: a failure here is none of the cart. */
async function redrawTheme(cart: Cart): Promise<void> {
  try {
    const theme = (await import(/* @vite-ignore */ themeAsset)) as typeof Theme;
    if ((await theme.notifyTheme(cart)) || !navigator.userActivation.hasBeenActive) return;
    // Only after an act of the shopper: a correction that fails again and again must not reload the page in a loop.
    remember("said", "", lastName);
    location.reload();
  } catch {
    // The theme's script could not be loaded. The panels show the cart.
  }
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

/** Says what was said before this script reloaded the page. */
export function repeatAnnouncement(): void {
  const name = recall("said")[""];
  remember("said");
  if (name) announce(name);
}

function announce(name: string): void {
  lastName = name;
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
