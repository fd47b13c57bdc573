import { enableCompileCache, registerHooks } from "node:module";

/**
 * Prints the modules of this repository that a server loads until it is ready, one path per line. The argument is the base: `core` or
 * `kubernetes`. These modules belong in one file, because loading each file takes time.
 */
const ROOT = new URL("../", import.meta.url).href;
enableCompileCache();
const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    if (url.startsWith(ROOT) && !url.includes("/node_modules/")) loaded.add(url.slice(ROOT.length));
    return next(url, context);
  },
});
await Promise.all([
  import("../cli/commands.ts"),
  import("../runtime/cli/run-server.ts"),
  import("../runtime/cli/serve.ts"),
  import("../runtime/cli/load-registry.ts"),
  import("../runtime/cli/start.ts"),
  import("../runtime/cli/assets/kube-apiserver.ts"),
  import("../runtime/store/embedded/lmdb-engine.ts"),
]);
const { startPlane } = await import("../runtime/plane.ts");
const plane = await startPlane({ base: process.argv[2] === "core" ? "core" : "kubernetes" });
await plane.ready;
await plane.settled();
await plane.stop();
process.stdout.write([...loaded].sort().join("\n"));
