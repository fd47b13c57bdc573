import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Facts about Kubernetes v1.33, recorded next to the checkout. */
const folder = new URL("../../../shared/facts/", import.meta.url);
export const factsAvailable = existsSync(folder);

export interface FactField {
  name: string;
  type: string;
  optional?: boolean;
  pointer?: boolean;
  omitempty?: boolean;
  inline?: boolean;
  proto?: number;
  protoName?: string;
  listType?: string;
  listMapKeys?: string[];
  mapType?: string;
  structType?: string;
  patchStrategy?: string;
  patchMergeKey?: string;
  featureGate?: string;
  default?: unknown;
  deprecated?: boolean;
}

export interface FactType {
  fields: FactField[];
  markers?: string[];
  goAlias?: boolean;
  sameAs?: string;
}

export interface FactModule {
  group?: string;
  version?: string;
  ref: string;
  types: Record<string, FactType>;
  enums: Record<string, { values: string[]; isMarkedEnum?: boolean }>;
  aliases: Record<string, string>;
}

export interface FactResource {
  group: string;
  version: string;
  resource: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  shortNames?: string[];
  categories?: string[];
  verbs: string[];
  enabledByDefault?: boolean;
  removed?: string;
  featureGate?: string;
  subresources: {
    name: string;
    group?: string;
    version?: string;
    kind: string;
    verbs: string[];
    connectMethods?: string[];
  }[];
}

export interface FactLifecycle {
  group: string;
  version: string;
  kind: string;
  introduced?: string | null;
  deprecated?: string;
  removed?: string;
}

export interface FactColumns {
  kinds: { group: string; kind: string; columns: { name: string; type: string; format: string; priority: number }[] }[];
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, folder), "utf8")) as T;
}

export const readResources = () => read<FactResource[]>("resources.json");
export const readLifecycles = () => read<FactLifecycle[]>("lifecycle.json");
export const readColumns = () => read<FactColumns>("columns.json");

/** Returns every group version by its reference. Removed types are added to the version to which they belonged. */
export function readModules(): Map<string, FactModule> {
  const modules = new Map<string, FactModule>();
  for (const file of readdirSync(new URL("types/", folder)).sort()) {
    const module = read<FactModule>(`types/${file}`);
    const known = modules.get(module.ref);
    if (known === undefined) modules.set(module.ref, module);
    else Object.assign(known.types, { ...module.types, ...known.types });
  }
  return modules;
}
