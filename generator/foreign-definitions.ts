import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { packageOf } from "./reader/resolve-import.ts";
import { type ForeignFolder, folderOf, readDefinitionTexts, type SourceTree } from "./source-tree.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
/** The definitions of Kubernetes in one file, in an installed package. */
const SHIPPED = join(PACKAGE, "generator/kubernetes-definitions.json.gz");

/** Files that define no types: tests, hooks, and files about the package's own project. */
const IRRELEVANT =
  /\.(hooks|test)\.ts$|^api-definitions\/(released-api\.json|feature-gates\.ts|metrics\.ts|([a-z]+-)?vocabulary\.ts)$/;

interface DefinitionPackage {
  readonly name: string;
  readonly domain?: string;
  readonly files: readonly (readonly [path: string, text: string])[];
}

/** Adds the definitions of Kubernetes, and of packages whose definitions the project imports. */
export async function addForeign(root: string, own: ReadonlyMap<string, string>): Promise<SourceTree> {
  const uses = importedPackages(own.values());
  const packages = new Map<string, DefinitionPackage>([["typeplane", await readKubernetes()]]);
  await addUsed(root, uses, packages);
  const owners = new Map([...own.keys()].map((path) => [folderOf(path), "this project"]));
  const files = new Map<string, string>();
  const foreign = new Map<string, ForeignFolder>();
  for (const { name, domain, files: texts } of packages.values()) {
    for (const [path, text] of texts) {
      const folder = folderOf(path);
      const owner = owners.get(folder) ?? name;
      if (owner !== name) throw new FolderTakenError(folder, name, owner);
      owners.set(folder, name);
      foreign.set(folder, { packageName: name, ...(domain !== undefined && { domain }) });
      files.set(path, text);
    }
  }
  return { files: new Map([...files, ...own]), foreign, uses };
}

/** References to types begin with the folder of their module, so two packages cannot have a folder of the same name. */
class FolderTakenError extends Error {
  readonly code = "folder-taken";

  constructor(folder: string, packageName: string, owner: string) {
    const other = folder.endsWith(".ts") ? "another name" : `another name, such as ${folder}-api`;
    super(`api-definitions/${folder}: both ${packageName} and ${owner} have it; give it ${other}`);
  }
}

async function addUsed(
  root: string,
  names: readonly string[],
  packages: Map<string, DefinitionPackage>,
): Promise<void> {
  for (const name of names) {
    if (packages.has(name)) continue;
    const folder = findPackage(root, name);
    if (folder === undefined) continue;
    const files = readDefinitionTexts(folder).filter(([path]) => !IRRELEVANT.test(path));
    const text = await readFile(join(folder, "generated/resources.json"), "utf8").catch(() => "{}");
    const { project } = JSON.parse(text) as { readonly project?: { readonly domain?: string } };
    packages.set(name, { name, files, ...(project?.domain !== undefined && { domain: project.domain }) });
    await addUsed(folder, importedPackages(files.map(([, each]) => each)), packages);
  }
}

/** Returns the names of packages whose definition files are imported: `fleet-api` for `fleet-api/api-definitions/fleet/v1/truck.ts`. */
function importedPackages(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const [, specifier = ""] of text.matchAll(/\bfrom\s+["']([^."'][^"']*)["']/g)) {
      const name = packageOf(specifier);
      if (name !== undefined) names.add(name);
    }
  }
  return [...names].sort();
}

/** Returns the folder of an installed package, searched upwards as Node does; undefined if it is not installed. */
function findPackage(root: string, name: string): string | undefined {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "api-definitions"))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

async function readKubernetes(): Promise<DefinitionPackage> {
  const packed = await readFile(SHIPPED).catch(() => undefined);
  const files =
    packed === undefined
      ? kubernetesDefinitions(PACKAGE)
      : Object.entries(JSON.parse(gunzipSync(packed).toString()) as Record<string, string>);
  return { name: "typeplane", files };
}

/** Returns the definition files of Kubernetes that other projects may need. `root` is the folder of this package. */
export function kubernetesDefinitions(root: string): [path: string, text: string][] {
  return readDefinitionTexts(root).filter(([path]) => !IRRELEVANT.test(path));
}
