import { isDeepStrictEqual } from "node:util";
import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { KindDefinitions } from "./kind-definitions.ts";
import { registryPrefix } from "./registry-key.ts";

/** Returns the stored types of kinds whose resources differ, or for which `isChanged` reports changed types or code. */
export function changedKinds(
  former: readonly ResourceDescriptor[],
  next: readonly ResourceDescriptor[],
  isChanged: (storedType: TypeRef) => boolean,
): Set<TypeRef> {
  const before = new Map(former.map((descriptor) => [descriptor.type, descriptor]));
  const after = new Map(next.map((descriptor) => [descriptor.type, descriptor]));
  const changed = new Set<TypeRef>();
  for (const [type, descriptor] of [...before, ...after]) {
    const { type: stored } = descriptor.storage;
    if (isChanged(stored) || !isDeepStrictEqual(before.get(type), after.get(type))) changed.add(stored);
  }
  return changed;
}

/** Returns the key prefixes of those changed kinds whose objects are read as before. Their caches, and open watches, can stay. */
export async function prefixesReadAsBefore(
  changed: ReadonlySet<TypeRef>,
  former: KindDefinitions,
  next: KindDefinitions,
  keyRoot: string,
): Promise<Set<string>> {
  const prefixes = new Set<string>();
  for (const type of changed) {
    const [before, after] = [versionsOf(former, type), versionsOf(next, type)];
    const [first] = after;
    if (first === undefined || !isDeepStrictEqual(before.map(readingOf), after.map(readingOf))) continue;
    if (!(await isReadPlainly(before, former)) || !(await isReadPlainly(after, next))) continue;
    prefixes.add(registryPrefix(keyRoot, first.storage));
  }
  return prefixes;
}

function versionsOf({ catalogue }: KindDefinitions, storedType: TypeRef): ResourceDescriptor[] {
  return catalogue.resources.filter(({ storage }) => storage.type === storedType);
}

/** The properties of a version that decide how its objects are read and indexed. */
function readingOf({ group, version, kind, resource, namespaced, selectableFields, storage }: ResourceDescriptor) {
  return { group, version, kind, resource, namespaced, selectableFields, storage };
}

/** Whether objects are served as they are stored: without conversion and without values that hooks compute. */
async function isReadPlainly(versions: readonly ResourceDescriptor[], definitions: KindDefinitions): Promise<boolean> {
  for (const version of versions) {
    if ((await definitions.loadConverter(version)) !== undefined) return false;
    const { table, compatibility } = await definitions.loadHooks(version.type);
    if (table?.selectable !== undefined || compatibility?.rawTexts !== undefined) return false;
  }
  return true;
}
