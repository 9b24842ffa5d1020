/** Keeps plans in step with their products after every change of the cart, whoever made it. */
import { cart, type Item, linesOf, type TitledLine } from "./cart-api.ts";
import { balance, isPlan, rechoose } from "./cart-rules.ts";
import { type Band, planItem } from "./offers.ts";
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
 * Looks at the cart once more. Changes that come meanwhile are looked at together, so rapid clicking ends in one state.
 */
export function settle(): void {
  if (waiting) return;
  waiting = true;
  void inTurn(() => {
    waiting = false;
    return keepInStep();
  });
}

/** Runs a change of our own in its turn, then settles; true where it succeeded. */
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
  const swaps = rechoose(lines, (variant) => panel?.bandsOf(variant));
  const changes = balance(lines).filter(({ key }) => !swaps.some((swap) => swap.key === key));
  return { swaps, changes };
}

/** Whether the lines that Liquid rendered need anything. */
export function settleIfNeeded(items: Item[]): void {
  const { swaps, changes } = findings(linesOf(items));
  if (swaps.length || changes.length) settle();
}

async function keepInStep(changed = false): Promise<void> {
  let now = await cart();
  const lines = linesOf(now.items);
  const { swaps, changes } = findings(lines);
  if (swaps.length || changes.length) {
    await cart("/update", {
      updates: Object.fromEntries(
        [...changes, ...swaps.map(({ key }) => ({ key, quantity: 0 }))].map(({ key, quantity }) => [
          key,
          quantity,
        ]),
      ),
    });
    now = await cart();
    for (const { key, product, quantity, offer } of swaps) {
      const old = lines.find((line) => line.key === key)?.properties ?? {};
      const pair = String(old["_parasol_pair"]);
      const parent = linesOf(now.items).find(
        (line) =>
          !isPlan(line) && line.variant === product.variant && line.properties["_parasol_pair"] === pair,
      );
      if (!offer) continue;
      const choice = {
        variant: product.variant,
        plan: offer[3],
        reference: offer[4],
        consent: String(old["_parasol_consent"]),
      };
      await cart("/add", {
        items: [
          {
            ...planItem(choice, pair, quantity, String(old["_parasol_touchpoint"])),
            parent_line_key: parent?.key,
          },
        ],
      });
    }
    if (swaps.length) now = await cart();
    say(swaps.length ? "rechosen" : "adjusted");
    changed = true;
  }
  if (changed) await tellTheme(now);
  for (const panel of panels) await panel.show(linesOf(now.items));
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

// The back button can bring a page whose cart is an old one.
window.addEventListener("pageshow", (event) => event.persisted && settle());
