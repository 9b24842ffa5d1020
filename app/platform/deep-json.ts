/** Detects JSON with a nesting that only an attacker would send. */

// Comparing numbers in loops is faster than comparing texts.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** JSON of Shopify and the insurer has a dozen levels. Each level costs a parser some hundred bytes. */
const MAX_DEPTH = 200;
/** Shorter texts cost little at any depth. */
const LARGE_LENGTH = 100_000;

/** Whether a large text is nested deeper than the limit. */
export function isDeepJson(json: string): boolean {
  return json.length >= LARGE_LENGTH && jsonDepthCheck()(json);
}

/** Checks JSON in parts: whether the nesting so far exceeds the limit. It reads each character once. */
export function jsonDepthCheck(): (part: string) => boolean {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  return (part) => {
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (isInText) {
        if (code === BACKSLASH) isEscaped = true;
        else isInText = code !== QUOTE;
      } else if (code === QUOTE) isInText = true;
      else if (code === LIST || code === OBJECT) {
        depth += 1;
        if (depth > MAX_DEPTH) return true;
      } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    }
    return false;
  };
}
