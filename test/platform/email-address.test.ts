import { expect, it } from "vitest";
import { emailAddress } from "#app/platform/email-address.ts";

const isTaken = (text: string) => emailAddress().safeParse(text).success;

it.each([
  "anne.martin@example.com",
  "o&leary@example.com",
  "john/doe@example.com",
  "x=y@example.com",
  "first!last@example.com",
  "o'neil+shop@sub.example.co.uk",
  "info@räucher.de",
  "rené@example.fr",
  "user@example.xn--p1ai",
  "ана@пример.рф",
  "1@2.fr",
])("%s is an address", (text) => {
  expect(isTaken(text)).toBe(true);
});

it.each([
  "",
  "anne",
  "anne@",
  "@example.com",
  "anne@example",
  "anne@example.c",
  "anne@example.123",
  "anne@127.0.0.1",
  "an ne@example.com",
  "anne@exam ple.com",
  "anne..m@example.com",
  ".anne@example.com",
  "anne.@example.com",
  "anne@-example.com",
  "anne@example-.com",
  "anne@example..com",
  "anne,m@example.com",
  "anne@example.com,b@example.com",
  "<anne@example.com>",
  "anne@example.com\nBcc: b@example.com",
  `${"a".repeat(65)}@example.com`,
])("%j is none", (text) => {
  expect(isTaken(text)).toBe(false);
});

it("an endless text is none, at once", () => {
  const startedAt = performance.now();
  for (const text of ["a".repeat(100_000), `a@${"a.".repeat(50_000)}`, `a@${"-a".repeat(50_000)}`])
    expect(isTaken(text)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
