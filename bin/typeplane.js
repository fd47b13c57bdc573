#!/usr/bin/env node
// Plain JavaScript, because it prepares the loading of all other modules.
import * as modules from "node:module";

/** Packages that Koa loads and that take long to load. Each has a file in `runtime/http/koa-parts/` that loads it on first use. */
const KOA_PARTS = ["mime-types", "http-assert", "depd"];

if (modules.registerHooks === undefined || !process.features.typescript) {
  await import("./older-node.js");
} else {
  // Later starts need not compile the remaining modules.
  modules.enableCompileCache();
  const { buildFor } = await import("./built-server.js");
  const build = buildFor(process.argv[2], process.cwd());
  if (build === undefined) await runSources();
  else await import(build);
}

async function runSources() {
  const own = new URL("..", import.meta.url).href;
  const parts = `${own}runtime/http/koa-parts/`;
  // This repository's modules import each other by relative path with extension. Both location and format follow from the specifier, so the
  // file system need not be queried for each of several hundred modules.
  modules.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context;
      if (KOA_PARTS.includes(specifier) && !parentURL.startsWith(parts))
        return { url: `${parts}${specifier}.cjs`, format: "commonjs", shortCircuit: true };
      if (!specifier.startsWith(".") || parentURL === "") return next(specifier, context);
      const isOwn = parentURL.startsWith(own) && !parentURL.includes("/node_modules/", own.length - 1);
      const format = specifier.endsWith(".ts") ? "module-typescript" : isOwn && specifier.endsWith(".js") && "module";
      if (!format) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
    },
  });
  await import("../cli/main.ts");
}
