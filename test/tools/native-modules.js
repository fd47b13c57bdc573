// Plain JavaScript, because it sets up how the rest is loaded: by Node itself, as in production, with the compile cache that
// `vitest.config.ts` names. Runs before each test file.
import { flushCompileCache, registerHooks } from "node:module";
import { afterAll } from "vitest";

/** Vitest makes the address of a test file unique, so that it runs again after a change; no cache would know it. */
const UNIQUE = /%3Fvitest=\d+$/;

// Registered after Vitest's own hook, which reports every import to the main process: only a run that watches files needs that.
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

// Vitest kills its workers: what they compiled is stored before that.
afterAll(() => flushCompileCache());

function typeScript(url) {
  return { url, format: "module-typescript", shortCircuit: true };
}
