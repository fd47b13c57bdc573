const TOKEN = String.raw`[^\x00-\x20\x7f-\uffff()<>@,;:\\"/[\]?=]+`;
const PARAMETER = new RegExp(String.raw`\s*;\s*(${TOKEN})\s*=\s*(${TOKEN}|"(?:[^"\\\r\n]|\\[^\r\n])*")\s*`, "y");

/** The media type of a header with parameters. Undefined if Go could not parse the parameters. */
export function mediaTypeOf(header: string): string | undefined {
  const end = header.indexOf(";");
  const known = new Map<string, string>();
  let at = end;
  while (at >= 0 && at < header.length) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(header);
    if (found === null) {
      // One trailing semicolon is accepted.
      if (header.slice(at).trim() === ";") break;
      return undefined;
    }
    const [all, name = "", value = ""] = found;
    if ((known.get(name.toLowerCase()) ?? value) !== value) return undefined;
    known.set(name.toLowerCase(), value);
    at += all.length;
  }
  return header
    .slice(0, end < 0 ? undefined : end)
    .trim()
    .toLowerCase();
}
