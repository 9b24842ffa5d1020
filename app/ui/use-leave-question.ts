import { useNavigate } from "@remix-run/react";
import { useAppBridge } from "@shopify/app-bridge-react";
import { useEffect } from "react";

interface Options {
  /** of the save bar */
  id: string;
  /** something is not saved */
  active: boolean;
  onDiscard: () => void;
}

/**
 * While something is not saved, nobody leaves the page without being asked: a link or an entry of the admin's menu waits
 * for the admin's own question, and before a reload the browser asks. The admin's bar alone holds no router back.
 */
export function useLeaveQuestion({ id, active, onDiscard }: Options): void {
  const navigate = useNavigate();
  const shopify = useAppBridge();
  useEffect(() => {
    if (!active) return;
    // Never answered where the merchant stays.
    const leaveFor = async (address: string) => {
      await shopify.saveBar.leaveConfirmation();
      onDiscard();
      // A bar that is still shown keeps the admin's address where it was.
      await shopify.saveBar.hide(id);
      navigate(address);
    };
    const hold = (event: Event, address: string) => {
      event.preventDefault();
      event.stopPropagation();
      void leaveFor(address);
    };
    const onClick = (event: MouseEvent) => {
      const address = event.button === 0 && !hasModifier(event) ? addressOf(event.target) : null;
      if (address !== null) hold(event, address);
    };
    // How App Bridge hands on an entry of the menu.
    const onMenu = (event: Event) => {
      const address = event.target instanceof Element ? event.target.getAttribute("href") : null;
      if (address !== null) hold(event, address);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("click", onClick, true);
    window.addEventListener("shopify:navigate", onMenu, true);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      window.removeEventListener("click", onClick, true);
      window.removeEventListener("shopify:navigate", onMenu, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [active, id, navigate, onDiscard, shopify]);
}

const hasModifier = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  metaKey || ctrlKey || shiftKey || altKey;

/** Where a click leads inside the app. Null: nowhere, or into another window, which leaves this page as it is. */
function addressOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return null;
  if ((link.target !== "" && link.target !== "_self") || link.hasAttribute("download")) return null;
  if (link.pathname === location.pathname && link.hash !== "") return null;
  return link.pathname + link.search + link.hash;
}
