import { useEffect, useRef } from "react";

/** Does something once with each answer of a fetcher: `useAnswer(fetcher.data, (answer) => toast(…))`. */
export function useAnswer<Answer>(answer: Answer | undefined, react: (answer: Answer) => void): void {
  const handled = useRef<Answer | undefined>(undefined);
  useEffect(() => {
    if (answer === undefined || answer === handled.current) return;
    handled.current = answer;
    react(answer);
  });
}
