/** The texts of the admin, as type is set: in French some signs may not begin or end a line alone. */
import { expect, test } from "vitest";
import { messagesFor } from "#app/ui/locales/index.server.ts";

/** Every text of an object of texts. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

test("French keeps its signs on the line of their word", () => {
  const french = texts(messagesFor("fr"));
  expect(french.length).toBeGreaterThan(500);
  expect(french.filter((text) => /« | »| [:;?!](?:\s|$)/.test(text))).toEqual([]);
});
