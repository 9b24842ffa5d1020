/** Finds the theme's drawer or mini-cart, and the place for the panel in it. */

export const lineLinks = 'a[href*="/products/"]:not(parasol-cart *)';
/** What leads from a cart to the checkout. Dawn's notification has one as well, but no lines. */
const checkouts = ":is([name=checkout], a[href$='/checkout']):not(main *, cart-notification *)";

/**
 * Puts the panel at the end of the part that scrolls the drawer's lines. Beside that part, the panel would reduce its
 * height, and a tall panel would be cut off. Without such a part, the panel comes before the checkout button.
 * @param selector the merchant's setting: the panel goes to the end of this element
 * @returns whether the page has such a drawer
 */
export function placeInDrawer(panel: HTMLElement, selector?: string): boolean {
  const named = selector ? findNamed(selector) : undefined;
  if (named) {
    if (named.lastElementChild !== panel) named.append(panel);
    return true;
  }
  const drawers = findDrawers();
  // Of a copy for each width, the others have no box. Of several with a box, the last one lies over the others.
  const found = drawers.findLast(({ drawer }) => drawer.getClientRects().length) ?? drawers[0];
  if (!found) return false;
  const { drawer, footer } = found;
  const links = [...drawer.querySelectorAll<HTMLElement>(lineLinks)];
  const last = links.at(-1);
  const list = [...drawer.querySelectorAll(`:has(${lineLinks})`)].find(
    (part) => last && part.contains(last) && /auto|scroll/.test(getComputedStyle(part).overflowY),
  );
  if ((list ? list.lastElementChild : footer.previousElementSibling) !== panel) {
    if (list) list.append(panel);
    else footer.before(panel);
  }
  // The lines are as far from the drawer's edge as the theme wants it; a list without padding leaves that to them.
  // What is hidden has no place; the caller hides the panel again where it says nothing.
  panel.hidden = false;
  const inset = startOf(links[0]) - startOf(panel);
  if (inset > 0 && inset < 40) panel.style.marginInline = `${inset}px`;
  return true;
}

/** Where a part begins, also while the drawer moves into view: a transform does not change it. */
function startOf(part?: HTMLElement | null): number {
  return part ? part.offsetLeft + startOf(part.offsetParent as HTMLElement | null) : 0;
}

/** A merchant's selector can be wrong. */
function findNamed(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null;
  }
}

interface Drawer {
  drawer: Element;
  /** the part with the checkout button */
  footer: Element;
}

export const findDrawers = (): Drawer[] =>
  [...document.querySelectorAll(checkouts)].flatMap((checkout) => findDrawer(checkout) ?? []);

/**
 * The smallest part of the page that has the checkout button and lines, and the part of it with the button. Links in the
 * page around the drawer are not lines, so it has to lie above the page: a cart page can be outside of `main`.
 */
function findDrawer(checkout: Element): Drawer | undefined {
  let footer = checkout;
  while (footer.parentElement && !footer.parentElement.querySelector(lineLinks))
    footer = footer.parentElement;
  const drawer = footer.parentElement;
  return drawer?.matches("body *") && isAbovePage(drawer) ? { drawer, footer } : undefined;
}

function isAbovePage(element: Element): boolean {
  const { position } = getComputedStyle(element);
  if (element.matches("dialog, [popover]") || position === "fixed" || position === "absolute") return true;
  return !!element.parentElement && isAbovePage(element.parentElement);
}
