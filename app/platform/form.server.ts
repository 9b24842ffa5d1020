/** Reads what a page sends to its action. */
import { z } from "zod";
import { bodyLimits, withLimitedBody } from "./body.server.ts";
import { storableJson, storableText } from "./storable-text.ts";

/** The answer to a request that no page of the app sends: a wrong method, a body that is no form, an unknown intent. */
export function badRequest(): Response {
  return new Response(null, { status: 400 });
}

/** The answer to an address that names nothing of this shop. */
export function notFound(): Response {
  return new Response(null, { status: 404 });
}

/**
 * A form of the app, parsed. Fields that people fill in are texts here: their form reports what is wrong with them
 * (`fieldProblems`).
 * @param maxBytes larger where the form holds a file
 * @throws Response 400, 413
 */
export async function parseForm<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number = bodyLimits.form,
): Promise<T> {
  const form = await readBody(request, maxBytes, readForm);
  const fields = Array.from(form, ([name, value]) => [
    name,
    typeof value === "string" ? storableText(value) : value,
  ]);
  return parse(Object.fromEntries(fields), schema);
}

/** Ours have two dozen at most. An empty field takes a few bytes of a file's millions, and as long to read as kilobytes. */
const MAX_FIELDS = 1_000;
/** As browsers send it: of all that a header may say, this names one boundary for every reader. */
const multipart = /^multipart\/form-data; ?boundary=([\w'()+,./:=?-]{1,70})$/i;

/** @throws Response 400 where it has more fields than any form of the app; TypeError where it is no form */
async function readForm(limited: Request): Promise<FormData> {
  const type = limited.headers.get("content-type") ?? "";
  const body = Buffer.from(await limited.arrayBuffer());
  const boundary = multipart.exec(type)?.[1];
  if (boundary === undefined && !type.startsWith("application/x-www-form-urlencoded")) throw badRequest();
  const between = boundary === undefined ? "&" : `--${boundary}`;
  let fields = 0;
  for (let at = body.indexOf(between); at !== -1; at = body.indexOf(between, at + between.length)) {
    fields += 1;
    if (fields > MAX_FIELDS) throw badRequest();
  }
  return new Response(body, { headers: { "content-type": type } }).formData();
}

/**
 * A form of the app that is sent as JSON, because it holds more than texts.
 * @throws Response 400, 413
 */
export async function parseJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const json = await readBody(request, bodyLimits.form, async (limited): Promise<unknown> => {
    return JSON.parse(storableJson(await limited.text()));
  });
  return parse(json, schema);
}

/** Settings that are sent whole: any object, whose fields their own schema checks. */
export const anyObject = z.record(z.string(), z.unknown());

function parse<T>(given: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw badRequest();
  return parsed.data;
}

async function readBody<T>(
  request: Request,
  maxBytes: number,
  read: (limited: Request) => Promise<T>,
): Promise<T> {
  if (request.method !== "POST") throw badRequest();
  const limited = await withLimitedBody(request, maxBytes);
  try {
    return await read(limited);
  } catch (error) {
    // How the platform says that a body has an unexpected type.
    if (error instanceof TypeError || error instanceof SyntaxError) throw badRequest();
    throw error;
  }
}
