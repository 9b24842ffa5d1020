import { useLocation } from "@remix-run/react";
import { useEffect } from "react";

/** A part of the page that streams later may hold the field. */
const WAITS_MS = 5_000;

/**
 * A link with a field's id (`/app/touchpoints#insurer`) lands on that field: in the middle of the window and focused. On
 * a page of thousands of pixels a link to its top leaves the search to the merchant.
 */
export function useLandOnField(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    const id = hash.slice(1);
    if (id === "") return undefined;
    const land = (): boolean => {
      const found = document.getElementById(id);
      if (found === null) return false;
      // A card or a section has no focus of its own; with it, Tab goes on from there.
      if (found.tabIndex < 0) found.tabIndex = -1;
      found.scrollIntoView({ block: found.matches("input, select, textarea") ? "center" : "start" });
      found.focus({ preventScroll: true });
      return true;
    };
    if (land()) return undefined;
    const observer = new MutationObserver(() => {
      if (land()) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), WAITS_MS);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [hash, key]);
}
