/**
 * Product and plan in one act of the shopper. The theme's own request is extended, not replaced: its buttons, drawers
 * and messages work as without insurance.
 */
import { type AddedItem, isCartAdd, readAddition } from "./cart-addition.ts";
import { type Choice, pairOf, planItem, type Properties } from "./plan-item.ts";
import { root } from "./root.ts";

export interface OpenChoice extends Choice {
  /** The act is over. What the shopper adds next needs a choice of its own. */
  finish: (isInsured: boolean) => void;
}
/** By product id: all blocks of a product share one choice. */
export const choices = new Map<string, OpenChoice>();

/** A block that asks for a choice when its product is added without one. */
export interface Asking {
  /** Opens its dialog. @returns whether it is open now */
  openBeforeAdding: (variant: string, onClose: () => void) => boolean;
}
export const asking = new Set<Asking>();

/** Consents of choices that a request has taken. A second request is another act: a gift app's, for example. */
const taken = new Set<string>();

/** The network as it was before this script: our own requests are no act of the shopper. */
export const send = fetch;

/** A theme may check or upload something between the shopper's press and its request. */
const ACT_MS = 10_000;
/** The theme waits for as long: a shop that is only slow still answers within it. */
const TIMEOUT_MS = 10_000;

/** When the shopper last pressed anything: what a script adds on its own is not the shopper's act. */
let pressedAt = -ACT_MS;
for (const type of ["pointerdown", "keydown", "click"])
  addEventListener(
    type,
    (event) => {
      if (event.isTrusted) pressedAt = performance.now();
    },
    true,
  );

/** Whether a request may carry a choice into the cart. The rest goes out as it came. */
export function canCarryChoice(address: string, method: string): boolean {
  return (
    choices.size + asking.size > 0 &&
    method.toUpperCase() === "POST" &&
    performance.now() - pressedAt < ACT_MS &&
    isCartAdd(address)
  );
}

/** A line in the answers of the Ajax cart. */
interface Line {
  key: string;
  /** of one item, before discounts */
  original_price: number;
  properties: Properties | null;
}
type Answer = Partial<Line> & { items?: Line[]; sections?: unknown };

/** Undefined where the shop refuses, where its answer is lost, and where that is no JSON. */
function post(path: string, body: object): Promise<Answer | undefined> {
  return send(`${root}cart/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(readAnswer, () => undefined);
}

async function readAnswer(response: Response): Promise<Answer | undefined> {
  try {
    return response.ok ? ((await response.clone().json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sends a theme's request with the plans that the shopper has chosen for its items.
 * @returns what the theme expects as its answer; undefined, with nothing sent, where no choice belongs to the request
 */
export async function addWithPlans(request: Request): Promise<Response | undefined> {
  const addition = await readAddition(request).catch(() => undefined);
  await askFor(addition?.items ?? []);
  const insured = new Map<AddedItem, { choice: OpenChoice; pair: string }>();
  for (const item of addition?.items ?? []) {
    const choice = [...choices.values()].find(
      ({ variant, consent }) => variant === item.variant && !taken.has(consent),
    );
    if (!choice || item.isNested) continue;
    taken.add(choice.consent);
    insured.set(item, { choice, pair: pairOf(choice.variant, item.properties) });
  }
  if (!addition || !insured.size) return undefined;
  // The product goes first: its line's key says where the plan belongs, also where its variant is in the cart already
  // with other properties. And the plan can never cost the shop its sale.
  const response = await send(...addition.extend("_parasol_pair", (item) => insured.get(item)?.pair)).catch(
    (error: unknown) => error,
  );
  if (!(response instanceof Response) || !response.ok) {
    // Nothing was added: the choice is for the shopper's next try.
    for (const { choice } of insured.values()) taken.delete(choice.consent);
    if (response instanceof Response) return response;
    throw response;
  }
  const answer = await readAnswer(response);
  const last = await addPlans(
    insured,
    // A theme without Ajax gets a page as its answer. The cart, which an empty update returns, has the lines then.
    answer?.items ?? (answer?.key ? [answer as Line] : (await post("update.js?parasol", {}))?.items),
    addition.sections,
  );
  if (!answer || !last?.sections) return response;
  // The theme gets its own answer with the sections as they are after the plan. Safari 16 has no `Response.json`.
  return new Response(JSON.stringify({ ...answer, sections: last.sections }), {
    headers: { "content-type": "application/json" },
  });
}

/** Waits for the dialog of a theme that adds without submitting a form: on a click, or from an app's button. */
async function askFor(items: AddedItem[]): Promise<void> {
  for (const { variant, isNested } of items)
    if (!isNested)
      await new Promise<void>((resolve) => {
        if (![...asking].some((block) => block.openBeforeAdding(variant, resolve))) resolve();
      });
}

/** @returns the shop's last answer */
async function addPlans(
  insured: Map<AddedItem, { choice: OpenChoice; pair: string }>,
  lines: Line[] = [],
  sections: Record<string, unknown>,
): Promise<Answer | undefined> {
  const plans = [...insured].map(([{ quantity }, { choice, pair }]) => ({
    ...planItem(choice, pair, quantity, "product_page"),
    parent_line_key: lines.find(
      ({ properties }) => properties?.["_parasol_pair"] === pair && !properties["_parasol_reference"],
    )?.key,
  }));
  // An answer that is lost or late does not say whether the plans were added. The cart does.
  let last =
    (await post("add.js", { items: plans, ...sections })) ??
    (await post("update.js", { updates: {}, ...sections }));
  for (const { choice } of insured.values()) {
    const plan = last?.items?.find(({ properties }) => properties?.["_parasol_consent"] === choice.consent);
    // A market's price list can charge another price than the one that the shopper agreed to.
    const isInsured = plan?.original_price === choice.offer.price;
    if (plan && !isInsured) last = await post("update.js", { updates: { [plan.key]: 0 }, ...sections });
    choice.finish(isInsured);
  }
  return last;
}
