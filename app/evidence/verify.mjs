#!/usr/bin/env node
// Checks an evidence pack of Parasol: node verify.mjs pack.zip [fingerprint]
// Needs Node 20 or later and nothing else. Ends with 1 where something was changed, is missing or was added.
import { Buffer } from "node:buffer";
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import { inflateRawSync } from "node:zlib";

/** @typedef {Map<string, Buffer>} Files */

const [, , file, expectedFingerprint] = process.argv;
if (file === undefined) {
  process.stderr.write("Usage: node verify.mjs pack.zip [fingerprint of the shop's key]\n");
  process.exit(2);
}

const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
/** @param {Buffer | string} bytes */
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/**
 * The files of a zip archive, by name (PKWARE APPNOTE, 4.3).
 * @param {Buffer} archive
 */
function unzip(archive) {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error("it is no zip archive");
  /** @type {Files} */
  const files = new Map();
  let entry = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const method = archive.readUInt16LE(entry + 10);
    const size = archive.readUInt32LE(entry + 20);
    const nameBytes = archive.readUInt16LE(entry + 28);
    const afterName = archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32);
    const name = archive.toString("utf8", entry + 46, entry + 46 + nameBytes);
    const local = archive.readUInt32LE(entry + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(begin, begin + size);
    if (files.has(name)) throw new Error(`it holds ${name} twice`);
    files.set(name, method === 0 ? bytes : inflateRawSync(bytes));
    entry += 46 + nameBytes + afterName;
  }
  return files;
}

let problems = 0;
/**
 * @param {"whole" | "note" | "changed" | "missing" | "added"} word
 * @param {string} what
 */
const say = (word, what) => {
  if (word !== "whole" && word !== "note") problems += 1;
  print(`${word.toUpperCase().padEnd(8)} ${what}`);
};

/**
 * @param {Files} files
 * @param {Buffer} signed
 * @param {{ publicKey: string, keyAddress: string }} manifest
 */
function checkSignature(files, signed, manifest) {
  const key = createPublicKey({
    key: Buffer.from(manifest.publicKey, "base64"),
    format: "der",
    type: "spki",
  });
  const signature = files.get("manifest.sig") ?? Buffer.alloc(0);
  if (verify(null, signed, key, signature)) say("whole", "manifest.json, by its signature");
  else say("changed", "manifest.json or manifest.sig: the signature does not fit");
  const fingerprint = sha256(Buffer.from(manifest.publicKey, "base64"));
  if (expectedFingerprint === undefined)
    say("note", `signed by the key ${fingerprint}: compare it with the shop's at ${manifest.keyAddress}`);
  else if (expectedFingerprint === fingerprint) say("whole", "the key is the expected one");
  else say("changed", `the key is ${fingerprint}, not ${expectedFingerprint}`);
}

/**
 * @param {Files} files
 * @param {{ files: { name: string, bytes: number, sha256: string }[] }} manifest
 */
function checkFiles(files, manifest) {
  const named = new Set(["manifest.json", "manifest.sig"]);
  for (const { name, bytes, sha256: digest } of manifest.files) {
    named.add(name);
    const content = files.get(name);
    if (content === undefined) say("missing", name);
    else if (content.length !== bytes || sha256(content) !== digest) say("changed", name);
    else say("whole", name);
  }
  for (const name of files.keys()) if (!named.has(name)) say("added", name);
}

/**
 * Each line names the digest of the line before it.
 * @param {Files} files
 * @param {{ chain: { file: string, entries: number, head: string } }} manifest
 */
function checkChain(files, { chain }) {
  const lines = (files.get(chain.file)?.toString("utf8") ?? "").split("\n").filter((line) => line !== "");
  let previous = "";
  for (const [index, line] of lines.entries()) {
    let entry;
    try {
      entry = JSON.parse(line);
    } catch {
      entry = {};
    }
    if (entry.index !== index || entry.previous !== previous) {
      say("changed", `${chain.file}, at or before entry ${index}`);
      return;
    }
    previous = sha256(line);
  }
  if (lines.length !== chain.entries || previous !== chain.head)
    say("changed", `${chain.file}, its last entry or their number`);
  else say("whole", `${chain.file}: a chain of ${lines.length} entries`);
}

try {
  const files = unzip(readFileSync(file));
  const signed = files.get("manifest.json");
  if (signed === undefined || !files.has("manifest.sig")) throw new Error("its manifest is missing");
  const manifest = JSON.parse(signed.toString("utf8"));
  print(`Contract ${manifest.contract} of order ${manifest.order}, packed ${manifest.madeAt}`);
  checkSignature(files, signed, manifest);
  checkFiles(files, manifest);
  checkChain(files, manifest);
  for (const what of manifest.left_out) say("note", what);
} catch (error) {
  say("changed", `the pack cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}
print(problems === 0 ? "The pack is whole." : `The pack is not whole. Findings: ${problems}.`);
process.exitCode = problems === 0 ? 0 : 1;
