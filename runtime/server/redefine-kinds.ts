import type { ApiRegistry } from "../contract/api-registry.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { type LocalVersion, registerVersions } from "../controllers/local-api-services.ts";
import { type BrokenObject, findBrokenObjects } from "../kinds/broken-objects.ts";
import { containsChanged } from "../kinds/changed-types.ts";
import type { ServedGroup } from "../release/served.ts";
import { createPlatform } from "./platform.ts";
import type { ServerCore } from "./server-core.ts";

/** Changes of the definitions that the catalogue does not show. */
export interface DefinitionChange {
  /** Types that were added, changed or removed. */
  readonly types: ReadonlySet<TypeRef>;
  /** Definition folders in which code changed, such as hooks: `fleet` for the kinds of module `fleet/v1`. */
  readonly folders: ReadonlySet<string>;
}

export interface Redefinition {
  /** `fleet.example.com/v1 Truck`: each served version of a changed kind. Also contains kinds that are no longer served. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Stored objects that are invalid under the new definitions. */
  readonly broken: readonly BrokenObject[];
}

/**
 * Serves other definitions without a restart. Connections, stored objects and unchanged kinds are kept; for watches see `ServedKinds.redefine`.
 * Throws and changes nothing if the definitions cannot be served.
 */
export async function redefineKinds(
  core: ServerCore,
  registry: ApiRegistry,
  { types, folders }: DefinitionChange,
): Promise<Redefinition> {
  const { config, kinds, state, log } = core;
  // The other parts of the server depend on the base and the release from its start.
  const { base, dialed } = state.platform;
  const platform = createPlatform(registry, { ...config, base, release: dialed.own }, log);
  const isConcerned = containsChanged(registry.createTypeSource(), types, platform.catalogue);
  const versionsOf = ({ resources }: ApiCatalogue, stored: TypeRef): TypeRef[] =>
    resources.flatMap(({ type, storage }) => (storage.type === stored ? [type] : []));
  const changed = await kinds.redefine(platform, (stored) =>
    [stored, ...versionsOf(platform.catalogue, stored)].some(
      (type) => folders.has(type.split("/", 1)[0] as string) || isConcerned(type),
    ),
  );
  const { resources: former, groups } = state.platform.served;
  state.platform = platform;
  await changeApiServices(core, changedVersions(groups, platform.served.groups));
  await state.background?.kindsChanged();
  const served = platform.served.resources.filter(({ storage }) => changed.has(storage.type));
  const left = new Set(platform.served.resources.map(({ type }) => type));
  const name = (gvk: (typeof former)[number]): string => `${apiVersionOf(gvk)} ${gvk.kind}`;
  return {
    changed: served.map(name),
    removed: former.filter(({ type }) => !left.has(type)).map(name),
    broken: await findBrokenObjects(kinds, served),
  };
}

/** Versions that are served only now, or that were served only before. */
function changedVersions(former: readonly ServedGroup[], next: readonly ServedGroup[]): LocalVersion[] {
  const versionsIn = (groups: readonly ServedGroup[], isServed: boolean): Map<string, LocalVersion> =>
    new Map(
      groups.flatMap(({ name: group, priority, versions }) =>
        versions.map((version) => [`${group}/${version}`, { group, version, priority, isServed }] as const),
      ),
    );
  const before = versionsIn(former, false);
  const after = versionsIn(next, true);
  return [
    ...[...before].flatMap(([name, version]) => (after.has(name) ? [] : [version])),
    ...[...after].flatMap(([name, version]) => (before.has(name) ? [] : [version])),
  ];
}

/** Updates the APIServices of changed versions. A failure is only logged: the kinds are served without them. */
async function changeApiServices(core: ServerCore, versions: readonly LocalVersion[]): Promise<void> {
  const { kinds, objects, now, log } = core;
  const { naming } = core.platform;
  if (versions.length === 0 || !kinds.surface.storesKind(naming.group("apiregistration"), "apiservices")) return;
  try {
    await registerVersions("onstart", versions, { naming, objects, now });
  } catch (error) {
    log("warn", `APIServices of changed groups: ${String(error)}`);
  }
}
