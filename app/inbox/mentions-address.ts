/**
 * Whether any string of the JSON contains the address, in upper or lower case, and not within a longer one: `joana@…`
 * is not `ana@…`.
 */
export function mentionsAddress(json: string, address: string): boolean {
  const sought = address.toLowerCase();
  const pending: unknown[] = [parse(json)];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string" && holds(value.toLowerCase(), sought)) return true;
    if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) pending.push(name, member);
    }
  }
  return false;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}

const continuesBefore = /[\p{L}\p{N}._%+-]/u;
const continuesAfter = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u;

function holds(text: string, sought: string): boolean {
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const isPart =
      (at > 0 && continuesBefore.test(text.charAt(at - 1))) || continuesAfter.test(text.slice(end, end + 2));
    if (!isPart) return true;
  }
  return false;
}
