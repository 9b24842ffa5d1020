/** Globals that Shopify and themes define on the window. */
interface Window {
  /** Defined by Parasol's scripts: public-api.ts. */
  Parasol?: { refresh: () => void };
  Shopify?: {
    routes?: { root?: string };
    customerPrivacy?: { analyticsProcessingAllowed: () => boolean };
    analytics?: { publish: (event: string, data: object) => void };
    loadFeatures?: (
      features: { name: string; version: string }[],
      callback: (error?: unknown) => void,
    ) => void;
  };
  /** Dawn and themes based on it: pubsub.js. */
  publish?: (event: string, data: object) => Promise<unknown> | undefined;
}
