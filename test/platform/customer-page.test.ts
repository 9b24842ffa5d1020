import { expect, it } from "vitest";
import { customerLanguage } from "#app/platform/customer-page.ts";

it.each([
  ["fr", "fr"],
  ["fr-FR", "fr"],
  ["fr,fr-FR;q=0.8,en-US;q=0.5,en;q=0.3", "fr"],
  ["de-DE,de;q=0.9, fr;q=0.8,en;q=0.7", "de"],
  ["sv, fr;q=0.8,en;q=0.7", "fr"],
  ["en-US,en;q=0.9,fr;q=0.8", "en"],
  ["sv", "en"],
  ["", "en"],
])("a browser that accepts %j gets a page in %s", (requested, language) => {
  const request = new Request("https://app.test/", { headers: { "accept-language": requested } });
  expect(customerLanguage(request)).toBe(language);
});
