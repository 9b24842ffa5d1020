/** Finds the theme's drawer by its checkout button. Dawn's notification has one as well, but no lines. */

const links = 'a[href*="/products/"]:not(parasol-cart *)';

/**
 * Puts the panel at the end of the part that scrolls the drawer's lines. Beside that part, the panel would reduce its
 * height, and a tall panel would be cut off. Without such a part, the panel comes before the checkout button.
 * @returns whether the theme has such a drawer
 */
export function placeInDrawer(panel: Element): boolean {
  let checkout = [...document.querySelectorAll("[name=checkout]")].find(
    (each) => !each.closest("main, cart-notification"),
  );
  while (checkout?.parentElement && !checkout.parentElement.querySelector(links))
    checkout = checkout.parentElement;
  const drawer = checkout?.parentElement;
  // Links in the page around the drawer are not lines.
  if (!checkout || !drawer?.matches("body *")) return false;
  const last = [...drawer.querySelectorAll(links)].at(-1) as Element;
  const list = [...drawer.querySelectorAll(`:has(${links})`)].find(
    (each) => each.contains(last) && /auto|scroll/.test(getComputedStyle(each).overflowY),
  );
  if ((list ? list.lastElementChild : checkout.previousElementSibling) !== panel) {
    if (list) list.append(panel);
    else checkout.before(panel);
  }
  return true;
}
