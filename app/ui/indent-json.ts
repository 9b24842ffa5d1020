/**
 * JSON with line breaks, token by token. Reading and writing it anew would change what is shown: ids of the platform
 * are longer than a number can hold.
 */
export function indentJson(json: string): string {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]/g, (token) => {
    if (token === "{" || token === "[") {
      depth += 1;
      return token + line();
    }
    if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1);
      return line() + token;
    }
    if (token === ",") return token + line();
    return token === ":" ? ": " : token;
  });
}
