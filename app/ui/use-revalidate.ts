import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reloads the page's data every two seconds while something is under way and the page is visible. */
export function useRevalidateWhile(active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") revalidate();
    }, 2_000);
    return () => clearInterval(timer);
  }, [active, revalidate]);
}

/** Reloads the page's data when its tab becomes visible again: another tab may have changed it. */
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
