/** An id as a number where a number can hold it, and as a bigint beyond that. */
export function numericId(id: string): number | bigint {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : BigInt(id);
}
