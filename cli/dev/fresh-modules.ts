import * as modules from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Makes imports of changed modules possible, although Node loads a module only once per URL. A module of the project that is imported by a
 * URL with a generation (`?dev=3`) passes the generation on to its own imports, so that `generated/registry.ts?dev=3` loads changed hooks and
 * conversions. Returns false if this Node has no module hooks.
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
