/** The largest file that is taken; 50,000 references are about 15 MB. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

export type FileProblem = "empty" | "tooLarge";

export function findFileProblem({ size }: File): FileProblem | null {
  if (size === 0) return "empty";
  return size > MAX_FILE_BYTES ? "tooLarge" : null;
}
