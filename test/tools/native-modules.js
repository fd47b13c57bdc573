// Plain JavaScript, because it prepares the loading of all other modules: by Node itself, as in production, with the compile cache that
// `vitest.config.ts` configures. Runs before each test file.
import { flushCompileCache, registerHooks } from "node:module";
import { afterAll } from "vitest";

/** Suffix with which Vitest makes the URL of a test file unique, so that it runs again after a change. No cache could recognize such a URL. */
const UNIQUE = /%3Fvitest=\d+$/;

// Registered after Vitest's own hook, which reports every import to the main process and is only needed for watching files.
const hooks = Symbol.for("typeplane.test.native-modules");
globalThis[hooks] ??= registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("node:")) return { url: specifier, format: "builtin", shortCircuit: true };
    const { parentURL = "" } = context;
    if (UNIQUE.test(specifier)) return typeScript(specifier.replace(UNIQUE, ""));
    if (parentURL === "" || !specifier.startsWith(".") || !specifier.endsWith(".ts")) return next(specifier, context);
    return typeScript(new URL(specifier, parentURL).href);
  },
});

// Stores the compiled code before Vitest kills its workers.
afterAll(() => flushCompileCache());

function typeScript(url) {
  return { url, format: "module-typescript", shortCircuit: true };
}
