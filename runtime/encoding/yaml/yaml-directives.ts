import { YamlError } from "./yaml-error.ts";

/** Refuses what comes before a document and is not known: only `%TAG` and `%YAML 1.1` are. */
export function checkDirectives(text: string): void {
  if (!/^\s*(?:#.*\s*)*%/.test(text)) return;
  for (const line of text.split("\n")) {
    if (line.startsWith("%")) checkDirective(line);
    else if (line.trim() !== "" && !line.startsWith("#")) return;
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
