import { useEffect, useState } from "react";
import type { ReactNode } from "react";

/** What has come of data that arrives after its page. */
export type Arrival<T> =
  /** `value` is that of the previous promise; undefined: there was none */
  | { state: "pending"; value: T | undefined }
  | { state: "arrived"; value: T }
  | { state: "failed"; error: unknown };

/**
 * Follows data that arrives after its page.
 *
 * Not with Suspense: a page that is updated before such a part has been taken over (a refresh, a narrower window)
 * throws away what the server wrote and complains in the console (React's error 421).
 */
export function useArrival<T>(promise: Promise<T>): Arrival<T> {
  const [latest, setLatest] = useState<{ promise: Promise<T>; arrival: Arrival<T> }>();
  useEffect(() => {
    let isAwaited = true;
    const keep = (arrival: Arrival<T>) => {
      if (isAwaited) setLatest({ promise, arrival });
    };
    promise.then(
      (value) => keep({ state: "arrived", value }),
      (error: unknown) => keep({ state: "failed", error }),
    );
    return () => {
      isAwaited = false;
    };
  }, [promise]);
  if (latest?.promise === promise) return latest.arrival;
  return {
    state: "pending",
    value: latest?.arrival.state === "arrived" ? latest.arrival.value : undefined,
  };
}

interface Props<T> {
  value: Promise<T>;
  /** undefined: it is being found out. What is shown then and afterwards should be equally high. */
  children: (value: T | undefined) => ReactNode;
}

/** A part of the page whose data arrives after the page. While the page is reloaded, the previous data stays. */
export function Deferred<T>({ value, children }: Props<T>) {
  const arrival = useArrival(value);
  // For the page's error boundary.
  if (arrival.state === "failed") throw arrival.error;
  return children(arrival.value);
}
