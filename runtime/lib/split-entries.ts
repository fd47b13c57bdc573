/** `spec.parts[].name` is the field `name` of the entries `spec.parts[]`. */
export function splitEntries(path: string): { readonly entries: string; readonly field: string } {
  const end = path.lastIndexOf("[].");
  return end < 0 ? { entries: "", field: path } : { entries: path.slice(0, end + 2), field: path.slice(end + 3) };
}
