import { expect, test } from "vitest";
import { contactParts } from "#app/platform/contact-links.ts";

test("addresses, e-mail addresses and telephone numbers in a merchant's words become links, and nothing else", () => {
  expect(
    contactParts(
      "Sur https://insurer.example/sinistres?a=1, au 01 23 45 67 89 (9h-18h) ou à s@insurer.example.",
    ),
  ).toEqual([
    "Sur ",
    { label: "https://insurer.example/sinistres?a=1", to: "https://insurer.example/sinistres?a=1" },
    ", au ",
    { label: "01 23 45 67 89", to: "tel:0123456789" },
    " (9h-18h) ou à ",
    { label: "s@insurer.example", to: "mailto:s@insurer.example" },
    ".",
  ]);
  expect(contactParts("+33 (0)1 23 45 67 89")).toEqual([
    { label: "+33 (0)1 23 45 67 89", to: "tel:+33123456789" },
  ]);
  for (const text of ["1 rue de la Paix, 75002 Paris", "javascript:alert(1)", "http://insurer.example", ""])
    expect(contactParts(text)).toEqual(text === "" ? [] : [text]);
});
