/** Reads what a page sends to its action. */
import { z } from "zod";

/** The answer to a request that no page of ours makes: a wrong method, a body that is no form, an unknown intent. */
export function badRequest(): Response {
  return new Response(null, { status: 400 });
}

/** The answer to an address that names nothing of this shop. */
export function notFound(): Response {
  return new Response(null, { status: 404 });
}

/**
 * A form of ours, parsed. Fields that people fill in are texts here: what is wrong with them is for their own form to
 * say (`fieldProblems`).
 * @throws Response 400
 */
export async function parseForm<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  return parse(await readBody(request, () => request.formData()).then(Object.fromEntries), schema);
}

/**
 * A form of ours that is sent as JSON, because it holds more than texts.
 * @throws Response 400
 */
export async function parseJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  return parse(await readBody(request, (): Promise<unknown> => request.json()), schema);
}

/** Settings that are sent whole: any object, whose fields their own schema checks. */
export const anyObject = z.record(z.string(), z.unknown());

function parse<T>(given: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw badRequest();
  return parsed.data;
}

async function readBody<T>(request: Request, read: () => Promise<T>): Promise<T> {
  if (request.method !== "POST") throw badRequest();
  try {
    return await read();
  } catch (error) {
    // How the platform says that a body is not of the kind that was asked for.
    if (error instanceof TypeError || error instanceof SyntaxError) throw badRequest();
    throw error;
  }
}
