// Classic script on purpose: like the theme it imitates, it makes `subscribe` and `publish` global functions.
// eslint-disable-next-line no-unused-vars
const PUB_SUB_EVENTS = {
  cartUpdate: "cart-update",
  cartError: "cart-error",
  variantChange: "variant-change",
};

const listeners = new Map();

// eslint-disable-next-line no-unused-vars
function subscribe(name, callback) {
  const known = listeners.get(name) ?? new Set();
  listeners.set(name, known.add(callback));
  return () => known.delete(callback);
}

// eslint-disable-next-line no-unused-vars
function publish(name, data) {
  return Promise.all([...(listeners.get(name) ?? [])].map((callback) => callback(data)));
}

// eslint-disable-next-line no-unused-vars
function sectionHtml(html, selector) {
  return new DOMParser().parseFromString(html, "text/html").querySelector(selector)?.innerHTML ?? "";
}
