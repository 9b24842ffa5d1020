import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { DecryptionError, open, seal } from "#app/platform/crypto.server.ts";

const older = { id: "k1", key: createSecretKey(Buffer.alloc(32, 1)) };
const newer = { id: "k2", key: createSecretKey(Buffer.alloc(32, 2)) };

test("what is sealed opens again, and nothing of it can be read", () => {
  const sealed = seal("tok_very_secret", "connection:a", [older]);
  expect(sealed).not.toContain("tok_very_secret");
  expect(Buffer.from(sealed.split(".")[3] ?? "", "base64url").toString()).not.toContain("secret");
  expect(open(sealed, "connection:a", [older])).toBe("tok_very_secret");
});

test("the same text seals differently each time", () => {
  expect(seal("x", "p", [older])).not.toBe(seal("x", "p", [older]));
});

test("keys rotate: the first seals, all open, and a key that is gone is named", () => {
  const before = seal("x", "p", [older]);
  const after = seal("x", "p", [newer, older]);
  expect(before.startsWith("k1.")).toBe(true);
  expect(after.startsWith("k2.")).toBe(true);
  expect(open(before, "p", [newer, older])).toBe("x");
  expect(() => open(before, "p", [newer])).toThrow('no key with the id "k1"');
});

test.each([
  ["moved to another place", (sealed: string) => open(sealed, "connection:b", [older])],
  [
    "altered",
    (sealed: string) =>
      open(`${sealed.slice(0, -1)}${sealed.endsWith("A") ? "B" : "A"}`, "connection:a", [older]),
  ],
  [
    "opened with a short tag",
    (sealed: string) => open(sealed.replace(/\.[^.]+\.([^.]+)$/, ".AAAA.$1"), "connection:a", [older]),
  ],
  ["not sealed at all", () => open("k1.plain", "connection:a", [older])],
])("a sealed text that was %s does not open", (_, attempt) => {
  expect(() => attempt(seal("secret", "connection:a", [older]))).toThrow(DecryptionError);
});
