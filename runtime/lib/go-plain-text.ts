/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`, keys sorted. */
export function goPlainText(value: unknown): string {
  if (value === null || value === undefined) {
    return "<nil>";
  }
  if (Array.isArray(value)) {
    return `[${value.map(goPlainText).join(" ")}]`;
  }
  if (typeof value === "object") {
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${key}:${goPlainText(member)}`);
    return `map[${members.join(" ")}]`;
  }
  return String(value);
}
