/** Where the theme's drawer is: found through its checkout button. Dawn's notification has one as well, but no lines. */

/**
 * Puts the panel below the drawer's lines, before the part of it that holds the checkout button.
 * @returns whether there is such a drawer
 */
export function placeInDrawer(panel: Element): boolean {
  let at = [...document.querySelectorAll("[name=checkout]")].find(
    (each) => !each.closest("main, cart-notification"),
  );
  while (at?.parentElement && !at.parentElement.querySelector('a[href*="/products/"]:not(parasol-cart *)'))
    at = at.parentElement;
  // Links in the page around it are no lines.
  if (!at?.parentElement?.matches("body *")) return false;
  if (at.previousElementSibling !== panel) at.before(panel);
  return true;
}
