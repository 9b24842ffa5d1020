/** JSON nested so deeply that only an attacker sends it. */
import { BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END, QUOTE } from "./json-characters.ts";

/** What the platform and the service send has a dozen levels. Each costs a parser some hundred bytes. */
const MAX_DEPTH = 200;
/** Shorter texts cost little, however deep they are. */
const LARGE_LENGTH = 100_000;

/** Whether a large text is nested deeper than the limit; reads each character once. */
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
