/** The background of elements above the page: the theme's nearest opaque one. */
export function surfaceOf(element: Element): string {
  const { backgroundColor } = getComputedStyle(element);
  const parent = element.parentElement;
  return parent && / 0\)/.test(backgroundColor) ? surfaceOf(parent) : backgroundColor;
}
