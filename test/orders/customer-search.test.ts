import { expect, test } from "vitest";
import { readCustomerSearch } from "#app/orders/customer-search.ts";

const zoe = {
  firstName: "Zoé",
  lastName: "Blanc-Roux",
  email: "tom.blanc@example.com",
  phone: "+33 6 12 34 56 78",
};

test.each([
  ["blanc", true],
  ["zoe BLANC", true],
  ["Zoé", true],
  ["tom.blanc@exa", true],
  ["06 12 34 56 78", true],
  ["+33612345678", true],
  ["345678", true],
  // A few digits are in most numbers.
  ["45", false],
  ["zoe noir", false],
])("%s finds her: %s", (query, isFound) => {
  expect(readCustomerSearch(query)?.matches(zoe)).toBe(isFound);
});

test("who has no details is found by nothing, and a query without a word searches no customer", () => {
  const nobody = { firstName: null, lastName: null, email: null, phone: null };
  expect(readCustomerSearch("blanc")?.matches(nobody)).toBe(false);
  expect([readCustomerSearch(null), readCustomerSearch(" "), readCustomerSearch("a")]).toEqual([
    null,
    null,
    null,
  ]);
});
