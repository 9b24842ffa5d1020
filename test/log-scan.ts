/** Looks in the app's log for what must never be in it: people's data and secrets. */
import { readFile } from "node:fs/promises";

/**
 * @param words what is looked for, as it stands
 * @returns the lines that hold one of them
 * @throws Error where nothing was logged: then nothing was looked at
 */
export async function linesThatHold(logFile: string, words: readonly string[]): Promise<string[]> {
  const lines = (await readFile(logFile, "utf8")).split("\n").filter((line) => line !== "");
  if (lines.length === 0) throw new Error(`${logFile} is empty`);
  return lines.filter((line) => words.some((word) => line.includes(word)));
}
