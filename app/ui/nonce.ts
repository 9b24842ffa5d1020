/**
 * The CSP nonce of the rendered document: only scripts with it run (app/shopify/admin-request.server.ts). It is
 * undefined in the browser, where the scripts already run.
 */
import { createContext, useContext } from "react";

const NonceContext = createContext<string | undefined>(undefined);
export const NonceProvider = NonceContext.Provider;
export const useNonce = () => useContext(NonceContext);
