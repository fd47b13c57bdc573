import type { Artifact } from "../../artifact.ts";
import type {
  ApiCatalogue,
  ProjectDescriptor,
  ResourceDescriptor,
  SubresourceDescriptor,
  Verb,
} from "../../model/contract.ts";
import { defaultsFingerprint } from "../../model/defaults-fingerprint.ts";
import { hubOf, storedUnder, versionsOf } from "../../model/hub.ts";
import type { KindModel, Model, SubresourceModel } from "../../model/model.ts";
import { compareVersions } from "../../model/versions.ts";

/** Priority of groups that declare none: they are listed after all others. */
const DEFAULT_PRIORITY = 1000;

/** `generated/resources.json`: every resource of every version, one per line. */
export function emitResources(model: Model): Artifact[] {
  const { domain, vendor, release, project } = model;
  const names = new Set(servedKinds(model).map((kind) => kind.group));
  const served = model.ownGroups.filter((group) => !group.configuration && names.has(group.name));
  const groups = served
    .map(({ name, versions, priority, formerPriority, kubernetes }) => ({
      name,
      versions,
      ...(priority !== undefined && { priority }),
      ...(formerPriority && { formerPriority }),
      ...(kubernetes && { kubernetes }),
    }))
    .sort((a, b) => (b.priority ?? DEFAULT_PRIORITY) - (a.priority ?? DEFAULT_PRIORITY) || compare(a.name, b.name));
  const resources = servedKinds(model).map((kind) => resourceDescriptor(model, kind));
  const owner: ProjectDescriptor = {
    name: project.name,
    title: project.title,
    domain: project.domain,
    ...(project.base !== undefined && { base: project.base }),
    ...(project.groups && { groups: project.groups }),
    ...(project.flags && { flags: project.flags }),
    release: project.release,
    ...(project.releases.length > 0 && { releases: project.releases }),
  };
  const catalogue: ApiCatalogue = { domain, vendor, release, project: owner, groups, resources };
  return [{ path: "generated/resources.json", text: printCatalogue(catalogue) }];
}

/** Kinds that are resources, by group, version (most stable first) and plural. */
export function servedKinds(model: Model): KindModel[] {
  const kinds = model.ownModules.flatMap((module) => module.kinds).filter((kind) => !kind.unserved);
  return kinds.sort(
    (a, b) => compare(a.group, b.group) || compareVersions(a.version, b.version) || compare(a.plural, b.plural),
  );
}

function resourceDescriptor(model: Model, kind: KindModel): ResourceDescriptor {
  const hub = hubOf(model, kind);
  const scheme = model.groups.find((one) => one.name === kind.group)?.scheme;
  const { kind: name, group, version, listType } = kind;
  const defaults = defaultsFingerprint(model, hub);
  return {
    group,
    version,
    kind: name,
    resource: kind.plural,
    singular: kind.singular,
    listKind: `${name}List`,
    namespaced: kind.namespaced,
    shortNames: kind.shortNames,
    categories: kind.categories,
    verbs: kind.verbs as readonly Verb[],
    type: kind.type,
    ...(listType && { listType }),
    subresources: kind.subresources.map((subresource) => subresourceDescriptor(model, kind, subresource)),
    columns: kind.columns,
    selectableFields: kind.selectableFields,
    lifecycle: kind.lifecycle,
    ...(kind.deprecationWarning !== undefined && { deprecationWarning: kind.deprecationWarning }),
    virtual: kind.virtual,
    createOnUpdate: kind.createOnUpdate,
    ...(kind.returnsDeleted && { returnsDeleted: true }),
    ...(kind.generation !== undefined && { generation: kind.generation }),
    ...(kind.conditionalUpdate && { conditionalUpdate: true }),
    ...(scheme !== undefined && { scheme }),
    ...(kind.offByDefault && { offByDefault: true }),
    ...(kind.gate !== undefined && { gate: kind.gate }),
    storage: {
      group: hub.group,
      version: hub.version,
      kind: hub.kind,
      resource: hub.plural,
      type: hub.type,
      ...storagePrefix(model, hub),
      ...(defaults !== undefined && { defaults: defaults.hash }),
      ...(defaults !== undefined && defaults.gates.length > 0 && { defaultGates: defaults.gates }),
    },
  };
}

/** Returns the key prefix below the root if it is not the plural alone: kinds outside of Kubernetes are stored under their group. */
function storagePrefix(model: Model, hub: KindModel): { readonly prefix?: string } {
  const prefix = storedUnder(model, hub);
  return prefix === hub.plural ? {} : { prefix };
}

function subresourceDescriptor(model: Model, parent: KindModel, subresource: SubresourceModel): SubresourceDescriptor {
  const { name, group, version, kind, type, verbs, scale, connect, optionsType, gate } = subresource;
  return {
    name,
    kind: { group, version, kind },
    type,
    verbs: verbs as readonly Verb[],
    ...(scale && { scale: { ...scale, ...replicasByVersion(model, parent) } }),
    ...(connect && { connect }),
    ...(optionsType && { optionsType }),
    ...(gate !== undefined && { gate }),
  };
}

/**
 * Returns the path of the replicas in each version: managed fields refer to the version of the write. Not needed for Kubernetes' own kinds,
 * whose versions all have the same path.
 */
function replicasByVersion(
  model: Model,
  kind: KindModel,
): Pick<NonNullable<SubresourceDescriptor["scale"]>, "specReplicasByVersion"> {
  const versions = versionsOf(model, kind.storedIn ?? kind.group, kind.kind);
  const isOwn = model.groups.some(({ name, kubernetes }) => name === kind.group && !kubernetes);
  if (!isOwn || versions.length === 1) return {};
  const paths = versions.map(({ group, version, subresources }) => [
    `${group}/${version}`,
    subresources.find(({ name }) => name === "scale")?.scale?.specReplicas ?? null,
  ]);
  return { specReplicasByVersion: Object.fromEntries(paths) };
}

function printCatalogue({ groups, resources, ...rest }: ApiCatalogue): string {
  const head = Object.entries(rest).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const list = (items: readonly unknown[]): string => items.map((item) => `  ${JSON.stringify(item)}`).join(",\n");
  return `{\n${head.join(",\n")},\n"groups": [\n${list(groups)}\n],\n"resources": [\n${list(resources)}\n]\n}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
