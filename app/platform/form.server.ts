/** Reads the requests of pages to their actions. */
import { z } from "zod";
import { bodyLimits, withLimitedBody } from "./body.server.ts";
import { storableJson, storableText } from "./storable-text.ts";

/**
 * The response to a request that no page of the app sends: a wrong method, a body that is no form, an unknown intent.
 */
export function badRequest(): Response {
  return new Response(null, { status: 400 });
}

/** The response to a URL without an object of this shop. */
export function notFound(): Response {
  return new Response(null, { status: 404 });
}

/**
 * Parses a form of the app. Fields that people fill in are texts here: the form itself reports their problems
 * (`fieldProblems`).
 * @throws Response 400, 413
 */
export async function parseForm<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const form = await readBody(request, readForm);
  const fields = Array.from(form, ([name, value]) => [name, storableText(value)]);
  return parse(Object.fromEntries(fields), schema);
}

/**
 * The app's forms have at most two dozen fields. An empty field has only a few bytes, but takes as long to read as
 * kilobytes.
 */
const MAX_FIELDS = 1_000;

/** @throws Response 400 if the body is no form, or has too many fields */
async function readForm(limited: Request): Promise<URLSearchParams> {
  const type = limited.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) throw badRequest();
  const text = await limited.text();
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) throw badRequest();
  return new URLSearchParams(text);
}

/**
 * Parses a form of the app that is sent as JSON, because it contains more than texts.
 * @throws Response 400, 413
 */
export async function parseJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const json = await readBody(request, async (limited): Promise<unknown> => {
    return JSON.parse(storableJson(await limited.text()));
  });
  return parse(json, schema);
}

/** Settings that are sent as a whole: any object, because their own schema checks the fields. */
export const anyObject = z.record(z.string(), z.unknown());

function parse<T>(input: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw badRequest();
  return parsed.data;
}

async function readBody<T>(request: Request, read: (limited: Request) => Promise<T>): Promise<T> {
  if (request.method !== "POST") throw badRequest();
  const limited = await withLimitedBody(request, bodyLimits.form);
  try {
    return await read(limited);
  } catch (error) {
    // `Request` throws this for an unexpected content type.
    if (error instanceof TypeError || error instanceof SyntaxError) throw badRequest();
    throw error;
  }
}
