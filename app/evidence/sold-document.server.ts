/** A legal document as it was when an item was sold. */
import { type LegalDocument, readDocuments, suffixOf } from "#app/documents/legal-documents.server.ts";
import { readTerms } from "#app/offers/offer-terms.server.ts";
import { readOrderBook } from "#app/orders/book/book.server.ts";
import { nameOf } from "#app/orders/book/events.ts";
import { db } from "#app/platform/db.server.ts";

export const soldDocuments = ["conditions", "ipid"] as const;
export type SoldDocument = (typeof soldDocuments)[number];

interface NamedDocument extends Pick<LegalDocument, "contentType" | "content"> {
  fileName: string;
}

/** Null: the order has no such item, or no such document was kept at its sale. @param item its name (`nameOf`) */
export async function readSoldDocument(
  shop: string,
  orderId: string,
  item: string,
  name: SoldDocument,
): Promise<NamedDocument | null> {
  const book = await readOrderBook(shop, orderId);
  const sold = book?.order.items.find((each) => nameOf(each) === item)?.sold;
  if (!sold?.termsSha256) return null;
  const terms = (await readTerms(db, shop, [sold.termsSha256])).get(sold.termsSha256);
  const address = terms?.[name]?.address;
  const sha256 = terms?.[name]?.sha256;
  if (address === undefined || sha256 == null) return null;
  const [document] = await readDocuments(shop, [{ address, sha256 }]);
  if (!document) return null;
  const { contentType, content } = document;
  return { contentType, content, fileName: `${name}-${orderId}.${suffixOf(contentType)}` };
}
