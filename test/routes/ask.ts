/** Sends a request to a loader or an action as a page's script does, for tests of one page. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { adminRequest } from "#test/world.ts";
import type { AdminRequest } from "#test/world.ts";

interface Ask extends AdminRequest {
  params?: Record<string, string>;
  /** a JSON body makes it a POST */
  json?: unknown;
}

type Asked<T> = (args: LoaderFunctionArgs & ActionFunctionArgs) => Promise<T>;

/** The handler's data, with its own type. Thrown Responses and returned refusals are thrown. */
export async function ask(handler: Asked<Response>, path: string, given?: Ask): Promise<Response>;
export async function ask<T>(handler: Asked<T | Response>, path: string, given?: Ask): Promise<T>;
export async function ask<T>(
  handler: Asked<T | Response>,
  path: string,
  { params = {}, json, ...options }: Ask = {},
): Promise<T | Response> {
  const plain = await adminRequest(path, options);
  const request =
    json === undefined
      ? plain
      : new Request(plain, {
          method: "POST",
          body: JSON.stringify(json),
          headers: [...plain.headers, ["content-type", "application/json"]],
        });
  const answer = await handler({ request, params, context: {} });
  if (answer instanceof Response && answer.status === 403) throw answer;
  return answer;
}

/** The Response that a handler throws or returns instead of data. */
export async function responseOf(answer: Promise<unknown>): Promise<Response> {
  const given = await answer.catch((thrown: unknown) => thrown);
  if (given instanceof Response) return given;
  throw given instanceof Error ? given : new Error("The handler answered with data");
}

/** The value of a successful action. */
export function valueOf<Value>(
  result: { state: "success"; value: Value } | { state: string } | Response,
): Value {
  if ("value" in result) return result.value;
  throw new Error(`The action answered ${JSON.stringify(result)}`);
}
