import {
  type ClientActionFunctionArgs,
  isRouteErrorResponse,
  type ShouldRevalidateFunction,
} from "@remix-run/react";

/**
 * The browser's side of every action of the admin: `export { clientAction, shouldRevalidate } from "…/client-action.ts";`.
 * Where no answer comes, or the server failed, Remix would replace the page by its error page, and what was entered there
 * would be lost. `useAction` says it above the page instead.
 */
export function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  return answerOr(serverAction(), () => Response.json({ isUnanswered: true }, { status: 503 }));
}

/** The app's answer to a request of the page; where the network lost it, or the server failed, what stands in its place. */
export async function answerOr<Answer>(request: Promise<Answer>, standIn: () => Answer): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    // The app answered, such as by a redirect.
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    console.warn(error);
    return standIn();
  }
}

/**
 * Every page's. An action that failed has changed nothing, and the page's data would hardly come where no answer did. The
 * data of another address is loaded all the same.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  actionStatus = 200,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => (actionStatus < 400 || currentUrl.href !== nextUrl.href) && defaultShouldRevalidate;

/** @param answer what a fetcher got */
export function isUnanswered(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "isUnanswered" in answer;
}
