/** Keeps plans in step with their products after every change of the cart, whoever made it. */
import { cart, type Item, linesOf, type TitledLine } from "./cart-api.ts";
import { findingsIn, type Line } from "./cart-rules.ts";
import { type Band, pairOf } from "./offers.ts";
import { tellTheme } from "./tell-theme.ts";

/** What shows the cart's insurance: the block of the cart page, the panel of the drawer. */
export interface Panel {
  bandsOf: (variant: string) => Band[] | undefined;
  text: (name: string) => string | undefined;
  show: (lines: TitledLine[]) => Promise<void>;
}
export const panels = new Set<Panel>();

let queue = Promise.resolve();
let waiting = false;

/**
 * Settles the cart again. Changes made in the meantime are handled together, so rapid clicking ends in one state.
 */
export function settle(): void {
  if (waiting) return;
  waiting = true;
  void inTurn(() => {
    waiting = false;
    return keepInStep();
  });
}

/** Queues a change of our own, then settles; true where it succeeded. */
export async function change(work: () => Promise<unknown>, done: string): Promise<boolean> {
  return inTurn(async () => {
    await work();
    say(done);
    await keepInStep(true);
  });
}

function inTurn(work: () => Promise<void>): Promise<boolean> {
  const result = queue.then(work).then(
    () => true,
    () => {
      // The cart stays as the platform left it; the next change looks at it again.
      say("failed");
      return false;
    },
  );
  queue = result.then(() => undefined);
  return result;
}

function findings(lines: TitledLine[]) {
  const [panel] = panels;
  return findingsIn(lines, (variant) => panel?.bandsOf(variant));
}

/** Whether the lines that Liquid rendered need anything. */
export function settleIfNeeded(items: Item[]): void {
  if (findings(linesOf(items)).changes.length) settle();
}

async function keepInStep(changed = false): Promise<void> {
  let now = await cart();
  const lines = linesOf(now.items);
  const { misfits, changes } = findings(lines);
  if (changes.length) {
    await cart("/update", {
      updates: Object.fromEntries(changes.map(({ key, quantity }) => [key, quantity])),
    });
    now = await cart();
    for (const { product, offer } of misfits) propose(product, offer?.[4] ?? "none");
    say(misfits.length ? "rechosen" : "adjusted");
    changed = true;
  }
  if (changed) await tellTheme(now);
  for (const panel of panels) await panel.show(linesOf(now.items));
}

/**
 * The plans that would replace those taken out, by pair: a reference, or `none` where no plan fits any more. They wait
 * for the shopper on every page of the visit.
 */
const proposals = "parasol-proposals";
const proposed = () => JSON.parse(sessionStorage.getItem(proposals) ?? "{}") as Record<string, string>;
const pairOfLine = ({ variant, properties }: Line) =>
  properties["_parasol_pair"] ?? pairOf(variant, properties);

/** undefined where nothing was taken out */
export function proposalFor(product: Line): string | undefined {
  return proposed()[pairOfLine(product)];
}

/** Keeps a proposal; without one it is forgotten. */
export function propose(product: Line, reference?: string): void {
  sessionStorage[proposals] = JSON.stringify({ ...proposed(), [pairOfLine(product)]: reference });
}

const seen = new Set<string>();

/**
 * Notes for which variants an offer was seen in the cart, in an attribute of the cart: a property of the line would
 * change its key under the theme's hands. Read again in app/shopify/line-properties.ts.
 */
export function noteSeen(variants: string[], touchpoint: string): void {
  const fresh = variants.filter((variant) => !seen.has(variant));
  if (!fresh.length) return;
  for (const variant of fresh) seen.add(variant);
  const note = async () => {
    const before = (await cart()).attributes["_parasol_offered"] ?? "";
    const more = fresh.filter((variant) => !before.includes(`${variant}=`));
    const offered = [before, ...more.map((variant) => `${variant}=${touchpoint}`)].join(" ").trim();
    if (more.length) await cart("/update", { attributes: { _parasol_offered: offered } });
  };
  // It is for statistics only: where it fails, the shopper need not know.
  queue = queue.then(note).catch(() => undefined);
}

/** A live region of its own: the theme replaces the panels as it likes. */
const status = document.createElement("p");
status.className = "parasol__live";
status.setAttribute("role", "status");

function say(name: string): void {
  const [panel] = panels;
  if (!status.isConnected) document.body.append(status);
  status.textContent = panel?.text(name) ?? "";
}

// The theme's requests, whether it sends them with fetch, XMLHttpRequest or a library.
new PerformanceObserver((list) => {
  if (list.getEntries().some(({ name }) => /\/cart\/(add|change|update|clear)(?!.*parasol)/.test(name)))
    settle();
}).observe({ type: "resource" });

// What goes through the standard actions does not use the Ajax cart.
document.addEventListener("shopify:cart:lines-update", (event) => {
  const { promise, parasol } = event as Event & { promise?: Promise<unknown>; parasol?: boolean };
  if (!parasol) void promise?.then(settle, settle);
});

// The back button can show a page with an outdated cart.
window.addEventListener("pageshow", (event) => event.persisted && settle());
