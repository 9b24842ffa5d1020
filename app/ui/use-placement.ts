import { useCallback, useEffect, useState } from "react";
import { readPlacement } from "#app/offers/placement.ts";
import type { Placement } from "#app/offers/placement.ts";

interface CurrentPlacement {
  /** undefined: being read; null: App Bridge does not answer */
  placement: Placement | null | undefined;
  check: () => void;
}

/** Where the shop shows the app's blocks; read again when the merchant comes back from another tab or window. */
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
    // An older admin, such as the mobile app's, has no such call: the page says that it does not know.
    return null;
  }
}
