#!/usr/bin/env node
// Becomes bin/typeplane.js of the package.
// Imported as a module, node:module would load more than is used here.
const modules = process.getBuiltinModule?.("node:module");

if (modules?.registerHooks === undefined || !process.features.typescript) {
  await import("./older-node.js");
} else {
  // Spares every later start the compiling of the rest.
  modules.enableCompileCache();
  await import("../bundle/main.js");
}
