/** Where the theme's drawer is: found through its checkout button. Dawn's notification has one as well, but no lines. */

const links = 'a[href*="/products/"]:not(parasol-cart *)';

/**
 * Puts the panel at the end of the part that scrolls the drawer's lines: beside it, its height would be taken from
 * theirs, and what is still too high is cut off. Where nothing scrolls them, it comes before the part with the checkout
 * button.
 * @returns whether there is such a drawer
 */
export function placeInDrawer(panel: Element): boolean {
  let checkout = [...document.querySelectorAll("[name=checkout]")].find(
    (each) => !each.closest("main, cart-notification"),
  );
  while (checkout?.parentElement && !checkout.parentElement.querySelector(links))
    checkout = checkout.parentElement;
  const drawer = checkout?.parentElement;
  // Links in the page around it are no lines.
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
