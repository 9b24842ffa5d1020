/** Globals that Shopify and themes define on the window. */
interface Window {
  Shopify?: {
    routes?: { root?: string };
  };
  /** Dawn and themes based on it: pubsub.js. */
  publish?: (event: string, data: object) => Promise<unknown> | undefined;
}
