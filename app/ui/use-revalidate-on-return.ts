import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reads the page's data anew when its tab is looked at again: something may have been done in another one. */
export function useRevalidateOnReturn(active = true): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const onChange = () => {
      if (document.visibilityState === "visible") revalidate();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, [active, revalidate]);
}
