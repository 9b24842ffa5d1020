/** Which requests find the offers of an insurer that requires a product, or takes none. */
import { expect, it } from "vitest";
import { createOfferRequester } from "#app/catalogue/discovery/discovery.server.ts";
import { Rejected } from "#app/insurance/errors.ts";
import type { Offer, OfferQuery } from "#app/insurance/offers.ts";
import { phones } from "#test/catalogue/samples.ts";

const refusal = new Rejected("refused", {
  method: "GET",
  path: "/offers",
  status: 422,
  requestId: null,
  attempts: 1,
  durationMs: 1,
});
const offer: Offer = {
  referenceId: "R",
  contractId: null,
  termLength: "12 mois",
  termMonths: 12,
  priceMinor: 10,
  currencyCode: "EUR",
  bandMinMinor: 0,
  bandMaxMinor: 999,
  billing: "annually",
  title: "12 mois",
  categoryId: phones.id,
  category: phones,
};
const variants = [
  { variantId: "1", priceMinor: 100 },
  { variantId: "2", priceMinor: 500 },
];

/** Requests the general offers at each price. */
async function request(answer: (product: string | undefined) => Offer[], prices: number[]) {
  const products: (string | undefined)[] = [];
  const listReadable = ({ productReferenceId }: OfferQuery) => {
    products.push(productReferenceId);
    return Promise.resolve().then(() => ({ items: answer(productReferenceId), unreadable: null }));
  };
  const client = { offers: { listReadable, list: () => Promise.resolve([]) } };
  const requester = createOfferRequester(client, phones.id, variants);
  const found: number[] = [];
  for (const price of prices) found.push((await requester.request(price)).length);
  return { found, products };
}
const refuse = (): never => {
  throw refusal;
};

it("an insurer that needs no product gets none", async () => {
  expect(await request(() => [offer], [100, 500])).toEqual({
    found: [1, 1],
    products: [undefined, undefined],
  });
});

it("an insurer that refuses requests without a product gets the one with the nearest price", async () => {
  const { found, products } = await request(
    (product) => (product === undefined ? refuse() : [offer]),
    [90, 600],
  );
  expect(found).toEqual([1, 1]);
  expect(products).toEqual([undefined, "1", "2"]);
});

it("an insurer that finds nothing without a product gets one, and a second one confirms it", async () => {
  const { found, products } = await request((product) => (product === undefined ? [] : [offer]), [90, 600]);
  expect(found).toEqual([1, 1]);
  expect(products).toEqual([undefined, "1", "2", "2"]);
});

it("an offer for one product alone is no general offer", async () => {
  const { found } = await request((product) => (product === "1" ? [offer] : []), [90, 600]);
  expect(found).toEqual([0, 0]);
});

it("an empty category costs three further requests", async () => {
  const { products } = await request(() => [], [1, 2, 3, 4, 5, 6]);
  expect(products.filter((product) => product !== undefined)).toHaveLength(3);
});

it("an insurer that refuses products gets none", async () => {
  const requests: (string | undefined)[] = [];
  const client = {
    offers: {
      listReadable: ({ productReferenceId }: OfferQuery) => {
        requests.push(productReferenceId);
        return productReferenceId === undefined
          ? Promise.resolve({ items: [offer], unreadable: null })
          : Promise.reject(refusal);
      },
      list: () => Promise.resolve([]),
    },
  };
  const requester = createOfferRequester(client, phones.id, variants);
  expect(await requester.request(100, "1")).toHaveLength(1);
  expect(await requester.request(500, "2")).toHaveLength(1);
  expect(requests).toEqual(["1", undefined, undefined]);
});
