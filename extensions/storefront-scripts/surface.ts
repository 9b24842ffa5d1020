/** The background for elements above the page: the nearest one of the theme that is not transparent. */
export function surfaceOf(element: Element): string {
  const { backgroundColor } = getComputedStyle(element);
  const parent = element.parentElement;
  return parent && / 0\)/.test(backgroundColor) ? surfaceOf(parent) : backgroundColor;
}
