/**
 * Reads request bodies up to a limit. Anybody can send requests, and their Content-Length may be wrong. So this
 * counts the received bytes and never holds more than the limit.
 */
import { AppError } from "./app-error.ts";

/** The maximum body size of each kind of request, in bytes. */
export const bodyLimits = {
  /** Far more than the largest order or product needs. */
  webhook: 8 * 1024 * 1024,
  /** A form of an admin page; settings with all their texts are the largest. */
  form: 1024 * 1024,
  /** A cart of 500 lines from the storefront's script. */
  proxy: 256 * 1024,
} as const;

export class BodyTooLarge extends AppError {
  override name = "BodyTooLarge";
}

/**
 * @param onBytes receives the number of bytes so far, after each chunk; an error that it throws ends the reading
 * @throws BodyTooLarge at the first byte beyond the limit
 */
export async function readBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onBytes?: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyTooLarge(`The body is larger than ${maxBytes} bytes`);
    onBytes?.(bytes);
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

/**
 * Returns the same request with its body in memory, for the library's JSON and form readers.
 * @throws Response 413
 */
export async function withLimitedBody(request: Request, maxBytes: number): Promise<Request> {
  if (request.body === null) return request;
  try {
    const body = await readBytes(chunksOf(request.body), maxBytes);
    return new Request(request.url, { method: request.method, headers: request.headers, body });
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new Response(error.message, { status: 413 });
    throw error;
  }
}

/** Limit of a customer's form: a hundred items and a few fields need far less. */
const FORM_BYTES = 16 * 1024;

/** The fields of a customer's form; null for another content type. @throws Response 413 */
export async function readSmallForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) return null;
  const limited = await withLimitedBody(request, FORM_BYTES);
  return new URLSearchParams(await limited.text());
}

/**
 * Reads a web stream in chunks, with types that every runtime knows. If the caller ends early, the rest is cancelled.
 */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
