import { useEffect, useState } from "react";
import type { ReactNode } from "react";

interface Props<T> {
  value: Promise<T>;
  /** undefined: it is being found out. What is shown then and afterwards should be equally high. */
  children: (value: T | undefined) => ReactNode;
}

/**
 * A part of the page whose data arrives after the page. While the page is reloaded, the previous data stays.
 *
 * Not with Suspense: a page that is updated before such a part has been taken over (a refresh, a narrower window)
 * throws away what the server wrote and complains in the console (React's error 421).
 */
export function Deferred<T>({ value, children }: Props<T>) {
  const [found, setFound] = useState<T>();
  useEffect(() => {
    let isAwaited = true;
    const keep = (next: () => T) => {
      if (isAwaited) setFound(next);
    };
    value.then(
      (answer) => keep(() => answer),
      (error: unknown) =>
        keep(() => {
          // For the page's error boundary.
          throw error;
        }),
    );
    return () => {
      isAwaited = false;
    };
  }, [value]);
  return children(found);
}
