import { useCallback, useEffect, useState } from "react";
import { readPlacement } from "#app/offers/placement.ts";
import type { Placement } from "#app/offers/placement.ts";

interface CurrentPlacement {
  /** undefined: loading; null: App Bridge does not answer */
  placement: Placement | null | undefined;
  check: () => void;
}

/** The places of the app's blocks in the shop, read again when the merchant returns from another tab or window. */
export function usePlacement(): CurrentPlacement {
  const [placement, setPlacement] = useState<Placement | null>();
  const check = useCallback(() => {
    void askAppBridge().then(setPlacement);
  }, []);
  useEffect(() => {
    const checkIfSeen = () => {
      if (document.visibilityState === "visible") check();
    };
    check();
    document.addEventListener("visibilitychange", checkIfSeen);
    window.addEventListener("focus", check);
    return () => {
      document.removeEventListener("visibilitychange", checkIfSeen);
      window.removeEventListener("focus", check);
    };
  }, [check]);
  return { placement, check };
}

async function askAppBridge(): Promise<Placement | null> {
  try {
    return readPlacement(await window.shopify.app.extensions());
  } catch {
    // An older admin, such as the mobile app's, lacks this call: the page then shows "unknown".
    return null;
  }
}
