/** The two OpenAPI documents are valid OpenAPI, by the schema that OpenAPI itself publishes. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { z } from "zod";
import { noOfferReasons } from "#app/offers/offers-response.ts";
import { startInsurance } from "#test/sandbox/insurance/server.ts";
import { document, errors } from "./proxy-document.ts";

test("the app proxy's is valid", () => {
  expect(errors).toEqual([]);
});

test("the app proxy's names every reason why there is no offer", () => {
  expect(document.components.schemas.Product.properties.reason.enum).toEqual([...noOfferReasons, null]);
});

test("the insurance service's stand-in answers with a valid one", async () => {
  const insurance = await startInsurance({ sales: 0 });
  const answer = await fetch(`${insurance.base_url}/openapi.json`);
  const served = z.record(z.string(), z.unknown()).parse(await answer.json());
  await insurance.close();
  const { errors: wrong = [] } = await new Validator().validate(served);
  expect(wrong).toEqual([]);
});
