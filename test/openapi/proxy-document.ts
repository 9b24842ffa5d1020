/** docs/offers-proxy.openapi.yaml, for tests that compare the app proxy's answers with it. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { z } from "zod";

const validator = new Validator();
/** The violations of OpenAPI's own schema in the document; empty if it is valid. */
export const { errors = [] } = await validator.validate("docs/offers-proxy.openapi.yaml");

const reasons = z.object({ enum: z.array(z.string().nullable()) });
const product = z.object({ properties: z.object({ reason: reasons }) });
export const document = z
  .looseObject({ components: z.object({ schemas: z.looseObject({ Product: product }) }) })
  .parse(validator.specification);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(document, "proxy");

/** Asserts that the document describes the answer. */
export async function conforms(operation: "get /offers" | "post /cart", answer: Response): Promise<void> {
  const [method, path = ""] = operation.split(" ");
  const described = `/paths/~1${path.slice(1)}/${method}/responses/${answer.status}`;
  const validate = ajv.compile({ $ref: `proxy#${described}/content/application~1json/schema` });
  const body: unknown = await answer.clone().json();
  expect(validate(body), `${operation} ${answer.status}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}
