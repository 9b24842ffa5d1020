import { useEffect, useRef } from "react";

/** Handles each result of a fetcher once: `useActionResult(fetcher.data, (result) => toast(…))`. */
export function useActionResult<Result>(result: Result | undefined, handle: (result: Result) => void): void {
  const handled = useRef<Result | undefined>(undefined);
  useEffect(() => {
    if (result === undefined || result === handled.current) return;
    handled.current = result;
    handle(result);
  });
}
