/** The legal documents of a shop's offers are kept as their addresses answered, and no private address is requested. */
import { request } from "undici";
import { beforeAll, describe, expect, it, test } from "vitest";
import { attachable, MAX_ATTACHED_BYTES } from "#app/documents/attachments.ts";
import { canonicalJson } from "#app/documents/canonical-json.ts";
import {
  DocumentUnavailable,
  fetchDocument,
  isPublicAddress,
  publicAgent,
} from "#app/documents/fetch-document.server.ts";
import { keepDocuments, latestDigests, sha256Of } from "#app/documents/legal-documents.server.ts";
import { category } from "#app/insurance/categories.ts";
import { db } from "#app/platform/db.server.ts";
import { connectShop } from "#test/install.ts";
import { DOCUMENTS } from "#test/sandbox/insurance/catalogue.ts";
import { shop } from "#test/world.ts";

const domain = shop.shopDomain;
const ipid = `${DOCUMENTS}/documents/smartphone/ipid`;
const signal = () => AbortSignal.timeout(10_000);

async function offer(legal: { conditionsUrl: string; ipidUrl: string }): Promise<void> {
  const { marketing } = category.parse({ id: "", marketing: { modal: {} }, legal });
  const key = { shop: domain, environment: "test", categoryId: "Smartphone" };
  await db.category.upsert({
    where: { shop_environment_categoryId: key },
    create: { ...key, marketing, legal },
    update: { legal },
  });
}

const kept = () =>
  db.legalDocument.findMany({ where: { shop: domain }, orderBy: [{ address: "asc" }, { seenAt: "asc" }] });

beforeAll(() => connectShop());

describe("A legal document", () => {
  it("is kept with its digest, whatever else cannot be fetched", async () => {
    await offer({ conditionsUrl: `${DOCUMENTS}/documents/smartphone/nothing`, ipidUrl: ipid });
    await keepDocuments(domain, signal());
    const [document, ...others] = await kept();
    expect(others).toEqual([]);
    expect(document).toMatchObject({ address: ipid, contentType: "text/html" });
    expect(document?.sha256).toBe(sha256Of(document?.content ?? ""));
    expect(Buffer.from(document?.content ?? []).toString()).toContain("smartphone");
  });

  it("is fetched again a day later, and what it was before stays", async () => {
    await db.legalDocument.deleteMany({ where: { shop: domain } });
    const before = { shop: domain, address: ipid, contentType: "text/html" };
    const seenAt = new Date(Date.now() - 86_400_000);
    await db.legalDocument.create({
      data: { ...before, sha256: "before", content: Buffer.from("old"), seenAt },
    });
    await keepDocuments(domain, signal());
    const rows = await kept();
    expect(rows).toHaveLength(2);
    expect((await latestDigests(db, domain, [ipid])).get(ipid)).toBe(rows[1]?.sha256);
    const seen = rows[1]?.seenAt;
    await keepDocuments(domain, signal());
    expect((await kept())[1]?.seenAt).toEqual(seen);
  });

  it.each([
    "http://assurance.example/documents/smartphone/ipid",
    "https://127.0.0.1/documents/smartphone/ipid",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://0x7f000001/",
  ])("is not fetched from %s", async (address) => {
    await expect(fetchDocument(address, signal())).rejects.toBeInstanceOf(DocumentUnavailable);
  });

  it("is not fetched from a host whose name leads into a private network", async () => {
    const asked = request("https://localhost:9/ipid", { dispatcher: publicAgent });
    await expect(asked).rejects.toThrow("private network");
  });
});

test.each([
  ["93.184.215.14", true],
  ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", true],
  ["10.1.2.3", false],
  ["172.20.0.1", false],
  ["192.168.1.1", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["0.0.0.0", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["::ffff:127.0.0.1", false],
  ["assurance.example", false],
])("%s is a public address: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test("documents are attached once each, in their order, up to the limit", () => {
  const document = (address: string, sha256: string) => ({ address, sha256 });
  const documents = [
    document("a", "1"),
    document("b", "1"),
    document("c", "2"),
    document("d", "3"),
    document("e", "4"),
  ];
  const bytesOf = new Map([
    ["1", 1_000],
    ["2", MAX_ATTACHED_BYTES],
    ["3", 2_000],
  ]);
  expect(attachable(documents, bytesOf).map(({ address }) => address)).toEqual(["a", "d"]);
});

test("JSON of equal content has equal bytes, in whatever order its keys were written", () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: "x" })).toBe(
    canonicalJson({ a: "x", b: [{ c: null, d: 1 }] }),
  );
  expect(canonicalJson({ a: ["2", "1"] })).toBe('{"a":["2","1"]}');
});
