import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";

let isOn = false;

/**
 * Lets this process run TypeScript of installed packages, which Node refuses to do below `node_modules`: definitions and hooks of another
 * team's package are TypeScript.
 */
export function runPackageTypes(): void {
  if (isOn) return;
  isOn = true;
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith(".ts") || !url.includes("/node_modules/")) return next(url, context);
      return { format: "module", source: stripTypeScriptTypes(readFileSync(new URL(url), "utf8")), shortCircuit: true };
    },
  });
}
