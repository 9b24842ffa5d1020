/**
 * Themes that add to the cart with XMLHttpRequest, as jQuery and axios do. Product and plan are added with fetch. Then the
 * theme's own request loads the answer from memory, so that its listeners run as after a request to the shop.
 */
import { addWithPlans, canCarryChoice } from "./add-to-cart.ts";

interface Opened {
  method: string;
  address: string;
  headers: Headers;
  abort: AbortController;
}

const opened = new WeakMap<XMLHttpRequest, Opened>();
const native = {
  open: Reflect.get(XMLHttpRequest.prototype, "open"),
  setRequestHeader: Reflect.get(XMLHttpRequest.prototype, "setRequestHeader"),
  send: Reflect.get(XMLHttpRequest.prototype, "send"),
  abort: Reflect.get(XMLHttpRequest.prototype, "abort"),
};

XMLHttpRequest.prototype.open = function open(
  this: XMLHttpRequest,
  method: string,
  url: string | URL,
  ...options: [isAsync?: boolean, user?: string | null, password?: string | null]
) {
  opened.delete(this);
  Reflect.deleteProperty(this, "responseURL");
  Reflect.apply(native.open, this, [method, url, ...options]);
  const isAsync = options.length === 0 || options[0];
  // The page waits for a synchronous request, and this one cannot wait.
  if (isAsync)
    opened.set(this, { method, address: String(url), headers: new Headers(), abort: new AbortController() });
};

XMLHttpRequest.prototype.setRequestHeader = function setRequestHeader(name, value) {
  native.setRequestHeader.call(this, name, value);
  opened.get(this)?.headers.append(name, value);
};

XMLHttpRequest.prototype.send = function send(body) {
  const request = opened.get(this);
  if (!request || body instanceof Document || !canCarryChoice(request.address, request.method))
    native.send.call(this, body);
  else void sendWithPlans(this, request, body);
};

XMLHttpRequest.prototype.abort = function abort() {
  opened.get(this)?.abort.abort();
  native.abort.call(this);
};

async function sendWithPlans(
  xhr: XMLHttpRequest,
  opening: Opened,
  body: XMLHttpRequestBodyInit | null | undefined,
): Promise<void> {
  const { address, method, headers, abort } = opening;
  const { href } = new URL(address, document.baseURI);
  const credentials = xhr.withCredentials ? "include" : "same-origin";
  const request = new Request(href, { method, headers, body, credentials, signal: abort.signal });
  const answer = await addWithPlans(request).catch(() => undefined);
  const content = answer?.ok ? await answer.blob() : undefined;
  // The theme has aborted it, or uses it for something else now.
  if (abort.signal.aborted || opened.get(xhr) !== opening) return;
  // What the shop refuses it refuses again, and the theme reads why.
  if (!content) {
    native.send.call(xhr, body);
    return;
  }
  const source = URL.createObjectURL(content);
  native.open.call(xhr, "GET", source, true);
  Object.defineProperty(xhr, "responseURL", { value: href, configurable: true });
  xhr.addEventListener("loadend", () => URL.revokeObjectURL(source), { once: true });
  native.send.call(xhr);
}
