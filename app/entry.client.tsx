import { RemixBrowser } from "@remix-run/react";
import type { ReactNode } from "react";
import { StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { holdEarlyInput } from "./ui/early-input.ts";

const release = holdEarlyInput();

/** Its effect comes after those of all that it holds: the page answers from then on. */
function TakenOver({ children }: { children: ReactNode }) {
  useEffect(release, []);
  return children;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TakenOver>
        <RemixBrowser />
      </TakenOver>
    </StrictMode>,
  );
});
