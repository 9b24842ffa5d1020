import { useRef, useState } from "preact/hooks";

export interface Work {
  /** what the app says of the last work */
  said: string | null;
  isUnderWay: boolean;
  /** `failed`: what is said where the app does not answer */
  run: (work: () => Promise<string | null>, failed: "unreadable" | "unavailable") => void;
}

/** Whatever comes of a work is said, and the buttons work again. A second click meanwhile does nothing. */
export function useWork(): Work {
  const [said, setSaid] = useState<string | null>(null);
  const [isUnderWay, setIsUnderWay] = useState(true);
  const isBusy = useRef(false);
  function run(work: () => Promise<string | null>, failed: "unreadable" | "unavailable"): void {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsUnderWay(true);
    void work()
      .then(setSaid, () => setSaid(failed))
      .finally(() => {
        isBusy.current = false;
        setIsUnderWay(false);
      });
  }
  return { said, isUnderWay, run };
}
