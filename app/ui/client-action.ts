import { type ClientActionFunctionArgs, isRouteErrorResponse } from "@remix-run/react";

/**
 * The browser's side of every page's action: `export { clientAction } from "#app/ui/client-action.ts";`. Where no answer
 * comes, or the server failed, Remix would replace the page by its error page, and what was entered there would be lost.
 * `useAction` says it above the page instead.
 */
export async function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    // A redirect, or a page that does not exist any more.
    if (error instanceof Response || isRouteErrorResponse(error)) throw error;
    console.warn(error);
    // By this status Remix does not load the page's data again, which would fail as well.
    return Response.json({ isUnanswered: true }, { status: 503 });
  }
}

/** @param answer what a fetcher got */
export function isUnanswered(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "isUnanswered" in answer;
}
