/** Where the theme's drawer is: found through its checkout button. */

/**
 * Puts the panel below the drawer's lines, before the part of it that holds the checkout button.
 * @returns whether there is such a drawer
 */
export function placeInDrawer(panel: Element): boolean {
  let at = [...document.querySelectorAll("[name=checkout]")].find((each) => !each.closest("main"));
  while (at?.parentElement && !at.parentElement.querySelector('a[href*="/products/"]:not(parasol-cart *)'))
    at = at.parentElement;
  if (!at || at === document.body || at === document.documentElement) return false;
  if (at.previousElementSibling !== panel) at.before(panel);
  return true;
}
