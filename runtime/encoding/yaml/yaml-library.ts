import { createRequire } from "node:module";

let loaded: typeof import("yaml") | undefined;

/** The YAML package, loaded when somebody first sends or asks for YAML: most never do, and every start would pay. */
export function yamlLibrary(): typeof import("yaml") {
  return (loaded ??= createRequire(import.meta.url)("yaml") as typeof import("yaml"));
}
