/** What Shopify and themes put on the window. */
interface Window {
  Shopify?: {
    routes?: { root?: string };
  };
  /** Dawn and the themes made from it: pubsub.js. */
  publish?: (event: string, data: object) => Promise<unknown> | undefined;
}
