#!/usr/bin/env node
// Becomes bin/typeplane.js of the package.
// Importing node:module as a module would load more than is needed here.
const modules = process.getBuiltinModule?.("node:module");

if (modules?.registerHooks === undefined || !process.features.typescript) {
  await import("./older-node.js");
} else {
  // Later starts need not compile the remaining modules.
  modules.enableCompileCache();
  await import("../bundle/main.js");
}
