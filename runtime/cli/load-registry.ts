import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { registry as kubernetes } from "../../generated/registry.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import { joinRegistries } from "../registry/join-registries.ts";
import { findProject, isClone } from "./find-project.ts";
import { UsageError } from "./usage-error.ts";

/** Whether a generated registry imports that of another package. */
function usesPackage(text: string): boolean {
  return text.split("\n").some((line) => {
    const [statement = "", module = ""] = line.split(' from "', 2);
    return statement.startsWith("import ") && !module.startsWith(".") && module.endsWith('/generated/registry.ts";');
  });
}

/**
 * Loads the kinds that a command serves or describes: those of Kubernetes, and those of the project in which it runs. Throws a UsageError if nothing
 * was generated for the project, and a RegistryConflictError if the two cannot be served together. With a `generation` that no earlier call had, the
 * files are read again.
 */
export async function loadRegistry(
  project: string | undefined = findProject(),
  generation?: number,
): Promise<ApiRegistry> {
  if (project === undefined || (isClone(project) && generation === undefined)) return kubernetes;
  const file = ["registry.ts", "registry.js"].map((name) => join(project, "generated", name)).find(existsSync);
  if (file === undefined) throw new UsageError(`${project} has no generated/registry.ts: run typeplane generate`);
  if (usesPackage(readFileSync(file, "utf8"))) (await import("./run-package-types.ts")).runPackageTypes();
  const url = `${pathToFileURL(file).href}${generation === undefined ? "" : `?dev=${generation}`}`;
  const { registry } = (await import(url)) as { readonly registry: ApiRegistry };
  return isClone(project) ? registry : joinRegistries(kubernetes, registry);
}

/** Returns names of definition folders that a project cannot use, because the package contains them. */
export function foreignFolders(project: string): ReadonlySet<string> {
  if (isClone(project)) return new Set();
  return new Set(Object.keys(kubernetes.modules).map((module) => module.split("/", 1)[0] ?? ""));
}
