#!/usr/bin/env node
// Becomes bin/typeplane.js of the package.
import * as modules from "node:module";

if (modules.registerHooks === undefined || !process.features.typescript) {
  await import("./older-node.js");
} else {
  // Spares every later start the compiling of the rest.
  modules.enableCompileCache();
  await import("../bundle/main.js");
}
