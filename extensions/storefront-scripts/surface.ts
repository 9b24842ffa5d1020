/** The background for elements above the page: the nearest one of the theme that is not transparent. */
export function surfaceOf(element: Element): string {
  const { backgroundColor } = getComputedStyle(element);
  return element.parentElement && / 0\)/.test(backgroundColor)
    ? surfaceOf(element.parentElement)
    : backgroundColor;
}
