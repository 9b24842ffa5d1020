/** The app's blocks in the shop, as App Bridge lists them (`shopify.app.extensions()`). */
import { blocks, WITHDRAWAL_BLOCK } from "./editor-links.ts";
import type { StorefrontTouchpoint } from "./storefront-choices.ts";
import { storefrontTouchpoints } from "./storefront-choices.ts";

/** The places for the app's blocks that shoppers and customers see, in the order of a purchase. */
export const surfaces = [
  "product_page",
  "cart",
  "mini_cart",
  "checkout",
  "thank_you",
  "order_page",
  "account",
  "withdrawal",
] as const;
export type Surface = (typeof surfaces)[number];

/** The names in the extensions' shopify.extension.toml. */
const targets = {
  checkout: "purchase.checkout.cart-line-item.render-after",
  thank_you: "purchase.thank-you.block.render",
  order_page: "customer-account.order-status.block.render",
  account: "customer-account.page.render",
} as const satisfies Partial<Record<Surface, string>>;

export interface Placement {
  placed: ReadonlySet<Surface>;
  /** the theme's templates with the block: `product.gift`; an app embed belongs to no template */
  templates: Record<StorefrontTouchpoint, string[]>;
}

interface Activation {
  target: string;
  /** a block of the theme extension; missing for targets of other extensions */
  handle: unknown;
  status: unknown;
  activations: Activation[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/**
 * Parses without zod, which pages without a form would otherwise load. Null: the format is not the documented one.
 */
function readActivations(list: unknown): Activation[] | null {
  if (!Array.isArray(list)) return null;
  const read: Activation[] = [];
  for (const each of list as unknown[]) {
    if (!isRecord(each) || typeof each["target"] !== "string") return null;
    const activations = readActivations(each["activations"] ?? []);
    if (activations === null) return null;
    read.push({ target: each["target"], handle: each["handle"], status: each["status"], activations });
  }
  return read;
}

function readExtensions(answer: unknown): { type: unknown; activations: Activation[] }[] | null {
  if (!Array.isArray(answer)) return null;
  const read: { type: unknown; activations: Activation[] }[] = [];
  for (const each of answer as unknown[]) {
    const activations = isRecord(each) ? readActivations(each["activations"]) : null;
    if (!isRecord(each) || activations === null) return null;
    read.push({ type: each["type"], activations });
  }
  return read;
}

/** Null: the answer of App Bridge does not have the documented format. */
export function readPlacement(answer: unknown): Placement | null {
  const extensions = readExtensions(answer);
  if (extensions === null) return null;
  const theme = extensions.filter(({ type }) => type === "theme_app_extension");
  const ui = extensions.filter(({ type }) => type === "ui_extension");
  const activationsOf = (block: string) =>
    theme
      .flatMap(({ activations }) => activations)
      .filter(({ handle, status }) => handle === block && status === "active");
  const activeTargets = new Set(ui.flatMap(({ activations }) => activations.map(({ target }) => target)));
  const templatesOf = (touchpoint: StorefrontTouchpoint): string[] => {
    const placements = activationsOf(blocks[touchpoint].handle).flatMap(({ activations }) => activations);
    return [...new Set(placements.flatMap(({ target }) => /^template--([^/]+)\//.exec(target)?.[1] ?? []))];
  };
  const isPlaced = (surface: Surface): boolean => {
    if (isTouchpoint(surface)) return activationsOf(blocks[surface].handle).length > 0;
    if (surface === "withdrawal") return activationsOf(WITHDRAWAL_BLOCK).length > 0;
    return activeTargets.has(targets[surface]);
  };
  return {
    placed: new Set(surfaces.filter(isPlaced)),
    templates: {
      product_page: templatesOf("product_page"),
      cart: templatesOf("cart"),
      mini_cart: templatesOf("mini_cart"),
    },
  };
}

const isTouchpoint = (surface: Surface): surface is StorefrontTouchpoint =>
  storefrontTouchpoints.some((touchpoint) => touchpoint === surface);
