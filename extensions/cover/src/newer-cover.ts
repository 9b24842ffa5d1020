/** Follows an order's cover while its contract is being made, without a reload. */
import { useEffect, useState } from "preact/hooks";
import type { OrderCover } from "./cover.ts";

/** Seconds until each next query. A contract exists within seconds, or a problem takes longer. */
const LOOKS = [2, 3, 5, 10, 20, 40];

/**
 * @param shown what the page was given
 * @param isExpected a cover will come where none is shown yet
 * @param look queries the current cover; null: it cannot be queried
 */
export function useNewerCover(
  shown: OrderCover | null,
  isExpected: boolean,
  look: (() => Promise<OrderCover | null>) | null,
): OrderCover | null {
  const [newer, setNewer] = useState<OrderCover | null>(null);
  const [looks, setLooks] = useState(0);
  const cover = newer ?? shown;
  const isWaiting = cover === null ? isExpected : cover.items.some(({ state }) => state === "waiting");
  const canLook = isWaiting && look !== null;

  useEffect(() => {
    const seconds = LOOKS[looks];
    if (!canLook || seconds === undefined) return;
    const timer = setTimeout(() => {
      look().then(
        (found) => {
          if (found) setNewer(found);
          setLooks(looks + 1);
        },
        // Queries again, a few times; the page keeps the last data.
        () => setLooks(looks + 1),
      );
    }, seconds * 1_000);
    return () => clearTimeout(timer);
  }, [canLook, looks]);

  return cover;
}
