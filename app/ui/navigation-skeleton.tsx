import { useLocation, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { PageSkeleton } from "./skeletons.tsx";

/** Whoever waits no longer than this sees the page before until the next one is there. */
const PATIENCE_MS = 300;

/** While a page is on its way: the admin's loading bar, and soon a skeleton in the place of the page before. */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { state, location } = useNavigation();
  const loading = state !== "idle";
  const target = state === "loading" && location.pathname !== pathname ? location.pathname : null;
  const [late, setLate] = useState<string | null>(null);

  useEffect(() => {
    if (!loading) return;
    window.shopify.loading(true);
    return () => window.shopify.loading(false);
  }, [loading]);
  useEffect(() => {
    if (target === null) return;
    const timer = setTimeout(() => setLate(target), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(null);
    };
  }, [target]);

  if (target === null || late !== target) return <main aria-busy={loading}>{children}</main>;
  return (
    <main aria-busy>
      <PageSkeleton address={target} />
    </main>
  );
}
