import type { ApiRegistry } from "../contract/api-registry.ts";
import {
  DEFAULT_GROUP_PRIORITY,
  type GroupDescriptor,
  type ResourceDescriptor,
} from "../contract/resource-descriptor.ts";

/** Two registries cannot be served together. Every line of the message names something that both declare. */
export class RegistryConflictError extends Error {
  readonly code = "RegistryConflict";
}

/**
 * Joins the registries of a base, a project and the projects that it uses. Types of the project refer to those of the base by name. If two registries
 * declare the same item (modules of types, protobuf packages, groups and thus their kinds, storage prefixes, gates, metrics), throws a
 * RegistryConflictError, here or when the item is first read.
 */
export function joinRegistries(base: ApiRegistry, own: ApiRegistry): ApiRegistry {
  let joined = base;
  for (const each of withUsed(own)) if (each !== base) joined = joinTwo(joined, each);
  return joined;
}

/** Returns a registry after those that it uses, each once. */
function withUsed(own: ApiRegistry, found = new Set<ApiRegistry>()): ReadonlySet<ApiRegistry> {
  for (const used of own.uses) if (!found.has(used)) withUsed(used, found);
  return found.add(own);
}

function joinTwo(base: ApiRegistry, own: ApiRegistry): ApiRegistry {
  const refuse = (problems: readonly string[]): void => {
    if (problems.length === 0) return;
    const name = own.readCatalogue().project?.name ?? "";
    throw new RegistryConflictError(problems.map((problem) => `${name}: ${problem}`).join("\n"));
  };
  refuse([
    ...repeated("module of types", Object.keys(base.modules), Object.keys(own.modules)),
    ...repeated("protobuf package", Object.values(base.modules), Object.values(own.modules)),
  ]);
  const join = <T extends { readonly name: string }>(what: string, some: readonly T[], more: readonly T[]): T[] => {
    refuse(repeated(what, some.map(nameOf), more.map(nameOf)));
    return [...some, ...more];
  };
  const isOwn = (module: string): boolean => Object.hasOwn(own.modules, module);
  return {
    modules: { ...base.modules, ...own.modules },
    uses: [],
    createTypeSource() {
      const [ofBase, ofOwn] = [base.createTypeSource(), own.createTypeSource()];
      return { module: (name) => (isOwn(name) ? ofOwn : ofBase).module(name) };
    },
    readCatalogue() {
      const [ofBase, ofOwn] = [base.readCatalogue(), own.readCatalogue()];
      refuse(repeated("storage prefix", ofBase.resources.map(storedAt), ofOwn.resources.map(storedAt)));
      return {
        // Domain and release are those of Kubernetes.
        ...ofBase,
        vendor: ofOwn.vendor,
        ...(ofOwn.project && { project: ofOwn.project }),
        groups: join("group", ofBase.groups, ofOwn.groups).sort(byPriority),
        resources: [...ofBase.resources, ...ofOwn.resources],
      };
    },
    readConfigKinds: () => [...base.readConfigKinds(), ...own.readConfigKinds()],
    readConversions: () => [...base.readConversions(), ...own.readConversions()],
    readFeatureGates: () => join("feature gate", base.readFeatureGates(), own.readFeatureGates()),
    readMetrics: () => join("metric", base.readMetrics(), own.readMetrics()),
    openApiSchemas: {
      modules: () => [...base.openApiSchemas.modules(), ...own.openApiSchemas.modules()],
      schemas(packageName) {
        const owns = own.openApiSchemas.modules().some((one) => one.package === packageName);
        return (owns ? own : base).openApiSchemas.schemas(packageName);
      },
    },
    hooks: { ...base.hooks, ...own.hooks },
    hookReads: { ...base.hookReads, ...own.hookReads },
    conversions: { ...base.conversions, ...own.conversions },
  };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function storedAt({ storage }: ResourceDescriptor): string {
  return storage.prefix ?? storage.resource;
}

function byPriority(a: GroupDescriptor, b: GroupDescriptor): number {
  const difference = (b.priority ?? DEFAULT_GROUP_PRIORITY) - (a.priority ?? DEFAULT_GROUP_PRIORITY);
  return difference || (a.name < b.name ? -1 : 1);
}

function repeated(what: string, known: readonly string[], more: readonly string[]): string[] {
  const taken = new Set(known);
  return [...new Set(more)]
    .filter((name) => taken.has(name))
    .map((name) => `the ${what} ${name} is declared elsewhere already; choose another name`);
}
