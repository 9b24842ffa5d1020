import "i18next";
import type { Messages } from "#app/locales/index.server.ts";

// A key that no catalogue has is an error of types.
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Messages;
    returnNull: false;
  }
}
