/** Calls a loader or an action as Remix does, and reads its response as text. */
import { inspect } from "node:util";
import type { Handler } from "./every-route.ts";

export interface Answer {
  /** null: the handler returned data */
  status: number | null;
  headers: Headers;
  /** everything that the browser would receive, as text, after all promises have resolved */
  text: string;
}

export async function answerOf(
  handler: Handler,
  request: Request,
  params: Record<string, string> = {},
): Promise<Answer> {
  const answer = await outcome(() => handler({ request, params, context: {} }));
  if (answer instanceof Response) {
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  return { status: null, headers: new Headers(), text: inspect(await settled(answer), everything) };
}

/** A Response may be thrown; any other thrown value fails the test. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

const everything = {
  depth: Infinity,
  maxArrayLength: Infinity,
  maxStringLength: Infinity,
  breakLength: Infinity,
};

async function settled(data: unknown): Promise<unknown> {
  if (typeof data !== "object" || data === null) return data;
  const entries = Object.entries(data).map(
    async ([name, value]: [string, unknown]) => [name, await value] as const,
  );
  return { ...data, ...Object.fromEntries(await Promise.all(entries)) };
}
