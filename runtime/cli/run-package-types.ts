import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";

let isOn = false;

/**
 * Enables this process to run TypeScript in installed packages, which Node.js rejects below `node_modules`: definitions and hooks in packages of
 * other teams are TypeScript.
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
