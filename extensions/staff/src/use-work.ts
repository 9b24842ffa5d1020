import { useRef, useState } from "preact/hooks";

export interface Work {
  /** the app's answer to the last action */
  said: string | null;
  isUnderWay: boolean;
  /** `failed`: the message if the app does not answer */
  run: (work: () => Promise<string | null>, failed: "unreadable" | "unavailable") => void;
}

/**
 * Runs one action at a time: shows its result and enables the buttons again. A second click in the meantime does
 * nothing.
 */
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
