/** Finds the theme's drawer or mini-cart, and the place for the panel in it. */

const lineLinks = 'a[href*="/products/"]:not(parasol-cart *)';
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
  const [found] = findDrawers();
  if (!found) return false;
  const { drawer, footer } = found;
  const links = [...drawer.querySelectorAll(lineLinks)];
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
  const inset = (links[0]?.getBoundingClientRect().left ?? 0) - panel.getBoundingClientRect().left;
  if (inset > 0 && inset < 40) panel.style.marginInline = `${inset}px`;
  return true;
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
