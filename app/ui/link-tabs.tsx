import { useLocation, useNavigate } from "@remix-run/react";
import { Tabs } from "@shopify/polaris";

/** Tabs that are pages: the address says which one is open. */
export function LinkTabs({ tabs }: { tabs: { address: string; label: string }[] }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <Tabs
      tabs={tabs.map(({ address, label }) => ({ id: address, content: label, panelID: "tab-panel" }))}
      selected={Math.max(
        tabs.findIndex(({ address }) => address === pathname),
        0,
      )}
      onSelect={(index) => {
        const chosen = tabs[index];
        if (chosen) navigate(chosen.address);
      }}
    />
  );
}
