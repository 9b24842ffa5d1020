/**
 * Themes leave out a line's properties that begin with an underscore. Some print all of them, and shoppers would read
 * Parasol's marks and times under their product.
 */

const printed = `//text()[starts-with(normalize-space(), "_parasol_")]`;

/** Hides Parasol's properties where the theme prints them, each with the elements that show nothing else. */
export function hidePrintedProperties(): void {
  const nodes = document.evaluate(printed, document.body, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  for (let index = 0; index < nodes.snapshotLength; index += 1) {
    const text = nodes.snapshotItem(index);
    const name = text?.parentElement;
    if (!text || !name || name.closest("script, template, parasol-cart, parasol-offer")) continue;
    const property = rowOf(name);
    if (!property) text.textContent = "";
    else hide(property);
    // The value of a term in a list of definitions.
    if (property?.matches("dt") && property.nextElementSibling?.matches("dd"))
      hide(property.nextElementSibling);
  }
}

/** The largest element that shows one property of Parasol's and nothing else. */
function rowOf(element: Element): Element | undefined {
  if (!/^\s*_parasol_(?!.*_parasol_)/s.test(element.textContent) || element.querySelector("a, button, input"))
    return undefined;
  const parent = element.parentElement;
  return (parent && isOneProperty(parent) ? rowOf(parent) : undefined) ?? element;
}

/** It holds a name, or a name and its value; two elements of one kind are two properties. */
function isOneProperty({ children: [first, second, third] }: Element): boolean {
  if (!first || third) return false;
  const isOfKind = ({ localName, className }: Element) =>
    localName === first.localName && className === first.className && localName !== "span";
  return !second || !isOfKind(second);
}

function hide(element: Element): void {
  (element as HTMLElement).style.setProperty("display", "none", "important");
}
