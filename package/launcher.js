#!/usr/bin/env node
// Becomes bin/typeplane.js of the package.
// Imported as a module, node:module would load more than is used here.
const modules = process.getBuiltinModule?.("node:module");

/** Commands that serve. To load the modules of a start runs some functions often enough that V8 would optimize them. */
const SERVERS = ["serve", "start", "worker", "kube-apiserver"];

if (modules?.registerHooks === undefined || !process.features.typescript) {
  await import("./older-node.js");
} else {
  if (SERVERS.includes(process.argv[2])) {
    // Until the server is busy: `runtime/cli/process/suit-engine-to-serving.ts`.
    const { setFlagsFromString } = process.getBuiltinModule("node:v8");
    for (const filter of ["maglev-filter", "turbo-filter"]) setFlagsFromString(`--${filter}=-*`);
  }
  // Spares every later start the compiling of the rest.
  modules.enableCompileCache();
  await import("../bundle/main.js");
}
