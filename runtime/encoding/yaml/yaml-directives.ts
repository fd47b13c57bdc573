import { YamlError } from "./yaml-error.ts";

/** Refuses what comes before a document and is not known: only `%TAG` and `%YAML 1.1` are. */
export function checkDirectives(text: string): void {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const first = text[start];
    if (first === "%") checkDirective(text.slice(start, end));
    else if (first !== "#" && text.slice(start, end).trim() !== "") return;
    start = end + 1;
  }
}

function checkDirective(line: string): void {
  const [, name = ""] = /^%(\w*)/.exec(line) ?? [];
  if (name === "") throw new YamlError("could not find expected directive name");
  if (name === "TAG") return;
  if (name !== "YAML") throw new YamlError("found unknown directive name");
  const version = /^%YAML\s+(\S*)/.exec(line)?.[1] ?? "";
  if (!/^\d/.test(version)) throw new YamlError("did not find expected version number");
  if (!/^\d+\.\d+$/.test(version)) throw new YamlError("did not find expected digit or '.' character");
  if (version !== "1.1") throw new YamlError("found incompatible YAML document");
}
