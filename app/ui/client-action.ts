import { type ClientActionFunctionArgs, isRouteErrorResponse } from "@remix-run/react";

/**
 * The browser's side of every page's action: `export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";`. Where no answer
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
    return Response.json({ isUnanswered: true }, { status: 503 });
  }
}

/** An action that failed has changed nothing, and the page's data would hardly come where no answer did. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus = 200, defaultShouldRevalidate }) =>
  actionStatus < 400 && defaultShouldRevalidate;

/** @param answer what a fetcher got */
export function isUnanswered(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "isUnanswered" in answer;
}
