/** The tabs of an offer's formulas. Which one is open is in the formulas' radios, which this format hides. */
import { clearHiddenTerms } from "./terms.ts";

class ParasolTabs extends HTMLElement {
  #abort = new AbortController();

  connectedCallback() {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.addEventListener("click", (event) => this.#open(this.#tabs.indexOf(tabOf(event))), { signal });
    this.addEventListener("keydown", (event) => this.#move(event), { signal });
  }

  disconnectedCallback() {
    this.#abort.abort();
  }

  /** Draws a tab for each formula. Without an open formula, the first is opened. */
  update() {
    const radios = this.#radios;
    const open = radios.find(({ checked }) => checked) ?? radios[0];
    if (!open) return;
    open.checked = true;
    const tabs = radios.map((radio, index) => {
      const tab = this.#tabs[index] ?? (this.#tabs[0]?.cloneNode() as HTMLElement);
      tab.textContent = radio.parentElement?.textContent.trim() ?? "";
      tab.ariaSelected = `${radio.checked}`;
      tab.tabIndex = radio.checked ? 0 : -1;
      return tab;
    });
    // Only then: a tab that is put back loses the focus.
    if (tabs.length !== this.childElementCount) this.replaceChildren(...tabs);
  }

  get #tabs() {
    return [...this.children] as HTMLElement[];
  }

  get #radios() {
    return [...(this.nextElementSibling?.querySelectorAll<HTMLInputElement>("[data-formula] input") ?? [])];
  }

  /** Opening a tab chooses nothing. */
  #open(index: number) {
    const radio = this.#radios[index];
    if (!radio || radio.checked) return;
    radio.checked = true;
    clearHiddenTerms(radio);
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Arrow keys, Home and End, as the pattern of tabs has it. */
  #move(event: KeyboardEvent) {
    const tabs = this.#tabs;
    const index = tabs.indexOf(tabOf(event));
    const next = { Home: 0, End: -1, ArrowLeft: index - 1, ArrowRight: index + 1 }[event.key];
    if (next === undefined || index < 0) return;
    event.preventDefault();
    const target = next % tabs.length;
    this.#open(target < 0 ? tabs.length + target : target);
    tabs.at(target)?.focus();
  }
}

const tabOf = ({ target }: Event) => (target as Element).closest<HTMLElement>("[role=tab]") as HTMLElement;

declare global {
  interface HTMLElementTagNameMap {
    "parasol-tabs": ParasolTabs;
  }
}

if (!customElements.get("parasol-tabs")) customElements.define("parasol-tabs", ParasolTabs);
