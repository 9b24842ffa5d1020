import { Await } from "@remix-run/react";
import { Suspense } from "react";
import type { ReactNode } from "react";
import type { Placement } from "#app/offers/placement.ts";

interface Props {
  placement: Promise<Placement | null>;
  /** undefined: being read; null: cannot be read. What is shown for each should be equally high. */
  children: (placement: Placement | null | undefined) => ReactNode;
}

/** What depends on the theme, which answers after the page is there. */
export function WithPlacement({ placement, children }: Props) {
  return (
    <Suspense fallback={children(undefined)}>
      <Await resolve={placement}>{(found) => children(found)}</Await>
    </Suspense>
  );
}
