#!/usr/bin/env node
// Plain JavaScript, because it sets up how the rest is loaded.
import * as modules from "node:module";

if (modules.registerHooks === undefined) {
  await import("./older-node.js");
} else {
  // Spares every later start the compiling of the rest.
  modules.enableCompileCache();
  // Our own modules name each other by relative path and extension: where they are and what they are shows in the name,
  // and need not be asked of the file system for each of several hundred of them.
  modules.registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith(".") || !specifier.endsWith(".ts") || context.parentURL === undefined) {
        return next(specifier, context);
      }
      return { url: new URL(specifier, context.parentURL).href, format: "module-typescript", shortCircuit: true };
    },
  });
  await import("../cli/main.ts");
}
