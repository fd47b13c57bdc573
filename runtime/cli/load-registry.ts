import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { registry as kubernetes } from "../../generated/registry.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import { joinRegistries } from "../kinds/join-registries.ts";
import { findProject } from "./find-project.ts";
import { UsageError } from "./usage-error.ts";

/** Only a clone of this package has it; its kinds are those of the package itself. */
const VOCABULARY = "api-definitions/vocabulary.ts";

/**
 * What a command serves or describes: the kinds of Kubernetes, and those of the project in which it runs. Throws a UsageError if nothing
 * was generated for the project, and a RegistryConflictError if the two cannot be served together.
 */
export async function loadRegistry(project: string | undefined = findProject()): Promise<ApiRegistry> {
  if (project === undefined || existsSync(join(project, VOCABULARY))) return kubernetes;
  const file = ["registry.ts", "registry.js"].map((name) => join(project, "generated", name)).find(existsSync);
  if (file === undefined) throw new UsageError(`${project} has no generated/registry.ts: run typeplane generate`);
  const { registry } = (await import(pathToFileURL(file).href)) as { readonly registry: ApiRegistry };
  return joinRegistries(kubernetes, registry);
}
