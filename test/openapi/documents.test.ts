/** The app proxy's OpenAPI document is valid by OpenAPI's published schema. */
import { expect, test } from "vitest";
import { noOfferReasons } from "#app/offers/offers-response.ts";
import { document, errors } from "./proxy-document.ts";

test("the app proxy's is valid", () => {
  expect(errors).toEqual([]);
});

test("the app proxy's names every reason why there is no offer", () => {
  expect(document.components.schemas.Product.properties.reason.enum).toEqual([...noOfferReasons, null]);
});
