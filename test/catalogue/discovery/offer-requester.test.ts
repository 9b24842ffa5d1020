/** Which requests find the offers of an insurer that requires a product, or takes none. */
import { expect, it } from "vitest";
import { createOfferRequester } from "#app/catalogue/discovery/offer-requester.ts";
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
async function request(
  answer: (product: string | undefined) => Offer[],
  prices: number[],
  nothingFound = false,
) {
  const products: (string | undefined)[] = [];
  const listReadable = ({ productReferenceId }: OfferQuery) => {
    products.push(productReferenceId);
    return Promise.resolve().then(() => ({ items: answer(productReferenceId), unreadable: null }));
  };
  const client = { offers: { listReadable, list: () => Promise.resolve([]) } };
  const requester = createOfferRequester(client, phones.id, variants);
  const needsProduct = nothingFound && (await requester.findsWithProduct());
  const found: number[] = [];
  for (const price of prices) found.push((await requester.request(price)).length);
  return { found, products, needsProduct };
}
const refuse = (): never => {
  throw refusal;
};

it("an insurer that needs no product gets none", async () => {
  expect(await request(() => [offer], [100, 500])).toMatchObject({
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

it("an insurer that finds nothing without a product gets one, after a second one confirmed it", async () => {
  const { found, products } = await request(
    (product) => (product === undefined ? [] : [offer]),
    [90, 600],
    true,
  );
  expect(found).toEqual([1, 1]);
  expect(products).toEqual(["2", "1", "1", "2"]);
});

it("an offer for one product alone is no general offer, and an empty category costs one request", async () => {
  const one = await request((product) => (product === "2" ? [offer] : []), [90], true);
  expect(one).toMatchObject({ needsProduct: false, found: [0] });
  const none = await request(() => [], [], true);
  expect(none).toMatchObject({ needsProduct: false, products: ["2"] });
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
