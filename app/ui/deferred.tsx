import { useEffect, useState } from "react";
import type { ReactNode } from "react";

/** The state of data that arrives after its page. */
export type Arrival<T> =
  /** `value` is the previous promise's value; undefined: none */
  | { state: "pending"; value: T | undefined }
  | { state: "arrived"; value: T }
  | { state: "failed"; error: unknown };

/**
 * Follows data that arrives after its page. It does not use Suspense: an update of the page before that boundary
 * hydrates discards the server's HTML (React's error 421). A refresh or a narrower window causes such an update.
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

/** Data that arrives after its page; undefined while it loads. A reload of the page keeps the previous data. */
export function useDeferred<T>(promise: Promise<T>): T | undefined {
  const arrival = useArrival(promise);
  // For the page's error boundary.
  if (arrival.state === "failed") throw arrival.error;
  return arrival.value;
}

interface Props<T> {
  value: Promise<T>;
  /** Rendered with undefined while loading. Both states should have the same height. */
  children: (value: T | undefined) => ReactNode;
}

/** A part of the page with data that arrives later. */
export function Deferred<T>({ value, children }: Props<T>) {
  return children(useDeferred(value));
}
