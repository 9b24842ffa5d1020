import { Await } from "@remix-run/react";
import { Suspense } from "react";
import type { ReactNode } from "react";

interface Props<T> {
  value: Promise<T>;
  /** undefined: it is being found out. What is shown then and afterwards should be equally high. */
  children: (value: T | undefined) => ReactNode;
}

/** What depends on an answer that comes after the page is there. */
export function Streamed<T>({ value, children }: Props<T>) {
  return (
    <Suspense fallback={children(undefined)}>
      <Await resolve={value}>{(found) => children(found)}</Await>
    </Suspense>
  );
}
