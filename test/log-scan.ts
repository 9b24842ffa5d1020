/** Searches the app's log for personal data and secrets, which must never be in it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/**
 * @param words the words to search for, as they are logged
 * @returns the lines with one of them; an empty log proves nothing, so it returns a line that says so
 */
export async function linesThatHold(logFile: string, words: readonly string[]): Promise<string[]> {
  const log = existsSync(logFile) ? await readFile(logFile, "utf8") : "";
  const lines = log.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return [`nothing was logged to ${logFile}`];
  return lines.filter((line) => words.some((word) => line.includes(word)));
}
