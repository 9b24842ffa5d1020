/** Finds what can be opened in a merchant's words about a contact: web addresses, e-mail addresses, telephone numbers. */

export type ContactPart = string | { label: string; to: string };

/** A telephone number has at least eight digits, so that neither hours nor postcodes become one. */
const contact =
  /(https:\/\/[^\s<>"]*[^\s<>".,;:!?)])|([^\s<>"(),;:@]+@[^\s<>"(),;:@]+\.[a-z]{2,})|(\+?\d(?:(?:[ .\u00a0\u202f/-]| ?\(0\) ?)?\d){7,14})/giu;

/** The zero in brackets after a country's code is not dialled. */
const telephone = (label: string) =>
  `tel:${(label.startsWith("+") ? label.replace("(0)", "") : label).replaceAll(/[^+\d]/g, "")}`;

export function contactParts(text: string): ContactPart[] {
  const parts: ContactPart[] = [];
  let end = 0;
  for (const match of text.matchAll(contact)) {
    const [label, page, mail] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    const to = page ?? (mail === undefined ? telephone(label) : `mailto:${mail}`);
    parts.push({ label, to });
    end = match.index + label.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
