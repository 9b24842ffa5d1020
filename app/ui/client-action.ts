import {
  type ClientActionFunctionArgs,
  isRouteErrorResponse,
  type ShouldRevalidateFunction,
} from "@remix-run/react";

/**
 * The browser's side of every admin action: `export { clientAction, shouldRevalidate } from "…/client-action.ts";`.
 * After a network or server failure, Remix would replace the page by its error page and lose the typed values.
 * `useAction` shows the failure above the page instead.
 */
export function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  return answerOr(serverAction(), () => Response.json({ isUnanswered: true }, { status: 503 }));
}

/** The app's answer to a request of the page; a failure if the network lost it or the server failed. */
export async function answerOr<Answer>(request: Promise<Answer>, standIn: () => Answer): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    // The app answered, for example with a redirect.
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    console.warn(error);
    return standIn();
  }
}

/**
 * For every page. A failed action has changed nothing, and reloading the page's data would probably fail too. A change
 * of the URL reloads the data all the same.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  actionStatus = 200,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => (actionStatus < 400 || currentUrl.href !== nextUrl.href) && defaultShouldRevalidate;

/** @param answer the fetcher's data */
export function isUnanswered(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "isUnanswered" in answer;
}
