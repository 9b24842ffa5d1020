/** Which legal documents are attached to a contract's mail. */
import type { DocumentKey } from "./legal-documents.server.ts";

/** Together, before encoding: beyond it, mail servers refuse. */
export const MAX_ATTACHED_BYTES = 5 * 1024 * 1024;

/** In this order, each content once, as long as they fit together; the mail links all of them anyway. */
export function attachable<Document extends DocumentKey>(
  documents: readonly Document[],
  bytesOf: ReadonlyMap<string, number>,
): Document[] {
  const attached: Document[] = [];
  let total = 0;
  for (const document of documents) {
    const bytes = bytesOf.get(document.sha256);
    if (bytes === undefined || attached.some(({ sha256 }) => sha256 === document.sha256)) continue;
    if (total + bytes > MAX_ATTACHED_BYTES) continue;
    total += bytes;
    attached.push(document);
  }
  return attached;
}
