import * as modules from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Node loads a module once per URL. Modules of the project that are imported from a URL with a generation (`?dev=3`) get the same one, so
 * that importing `generated/registry.ts?dev=3` loads changed hooks and conversions. Returns false where Node cannot do that.
 */
export function loadByGeneration(root: string, folders: readonly string[]): boolean {
  if (modules.registerHooks === undefined) return false;
  const own = folders.map((folder) => `${pathToFileURL(root).href}/${folder}`);
  modules.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const generation = /\?dev=\d+$/.exec(context.parentURL ?? "")?.[0];
      const isOwn = own.some((prefix) => found.url.startsWith(prefix)) && !found.url.includes("/node_modules/");
      return generation === undefined || !isOwn ? found : { ...found, url: `${found.url}${generation}` };
    },
  });
  return true;
}
