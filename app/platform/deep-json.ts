/** JSON that nobody of ours sends: lists in lists without end. */

/** What the platform and the service send has a dozen levels. Each costs a parser some hundred bytes. */
const MAX_DEPTH = 200;
/** Shorter texts cost little, however deep they are. */
const LARGE_LENGTH = 100_000;

// Character codes, which this loop compares with faster than with anything else.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Whether a large text has more levels than anything that is meant; looks at each character once. */
export function isDeepJson(json: string): boolean {
  if (json.length < LARGE_LENGTH) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else isInText = code !== QUOTE;
    } else if (code === QUOTE) isInText = true;
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
  }
  return false;
}
