/**
 * The nonce of the document that is being rendered: a script in the page runs only with it (app/shopify/admin-request.server.ts).
 * In the browser there is none: what hydrates runs already.
 */
import { createContext, useContext } from "react";

const NonceContext = createContext<string | undefined>(undefined);
export const NonceProvider = NonceContext.Provider;
export const useNonce = () => useContext(NonceContext);
