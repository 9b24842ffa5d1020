/** The largest file that is taken: 5,000 references with their texts. Parsing it blocks the process for 0.3 s at most. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

export type FileProblem = "empty" | "tooLarge";

export function findFileProblem({ size }: File): FileProblem | null {
  if (size === 0) return "empty";
  return size > MAX_FILE_BYTES ? "tooLarge" : null;
}
