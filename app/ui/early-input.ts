/**
 * Holds input back while React hydrates the page. React would hydrate the whole page before it handles the event, which
 * blocks it. An event before Remix has read the page's data aborts the hydration for good (known bug of Remix with
 * React 18: "Root did not complete"). The browser still does its own part: focus, scrolling, typing, links to other
 * windows.
 */

/** Every event that interrupts React's hydration. */
const urgent = [
  ..."pointerdown pointerup pointercancel mousedown mouseup touchstart touchend touchcancel".split(" "),
  ..."click auxclick dblclick contextmenu keydown keypress keyup beforeinput input textInput change".split(
    " ",
  ),
  ..."compositionstart compositionend copy cut paste dragstart dragend drop submit reset".split(" "),
];

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (target: unknown): target is Field =>
  (target instanceof HTMLInputElement && !/^(checkbox|radio|submit|button|file)$/.test(target.type)) ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

/** Holds input back. @returns a function that replays it and stops holding */
export function holdEarlyInput(): () => void {
  let clicked: Element | null = null;
  const changed = new Set<Field>();

  function hold(event: Event) {
    event.stopImmediatePropagation();
    const { type, target } = event;
    if (isField(target)) {
      if (type === "input" || type === "change") changed.add(target);
    } else if (type === "submit") {
      event.preventDefault();
    } else if (event instanceof MouseEvent && type === "click" && target instanceof Element) {
      const leavesThePage = event.metaKey || event.ctrlKey || event.shiftKey || target.closest("a[target]");
      if (leavesThePage) return;
      event.preventDefault();
      clicked = target;
    }
  }

  for (const type of urgent) window.addEventListener(type, hold, { capture: true });
  return () => {
    for (const type of urgent) window.removeEventListener(type, hold, { capture: true });
    for (const field of changed) tellOfChange(field);
    clicked?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  };
}

/** React reports a change only if the value differs from the one that it set or found. */
function tellOfChange(field: Field): void {
  const { value } = field;
  const prototype: unknown = Object.getPrototypeOf(field);
  field.value = `${value}x`;
  Reflect.set(Object(prototype), "value", value, field);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}
