import type { KindModel, Model } from "./model.ts";
import { compareVersions } from "./versions.ts";

/**
 * Returns the version in which the objects of a kind are stored, which may be in another group (`storedIn`). The version marked `storage`
 * takes precedence, then the most stable and newest one that is not removed.
 */
export function hubOf(model: Model, kind: KindModel): KindModel {
  const group = kind.storedIn ?? kind.group;
  const candidates = versionsOf(model, group, kind.kind);
  const marked = candidates.find((candidate) => candidate.storage);
  if (marked !== undefined) return marked;
  const [newest] = candidates.sort(
    (a, b) => Number(isRemoved(a)) - Number(isRemoved(b)) || compareVersions(a.version, b.version),
  );
  return newest ?? kind;
}

/** Returns the key prefix of a stored kind below the root: `pods`, or `library.example.com/books` outside of Kubernetes. */
export function storedUnder({ groups }: Model, hub: KindModel): string {
  if (hub.storedAs !== undefined) return hub.storedAs;
  const isOfKubernetes = groups.find(({ name }) => name === hub.group)?.kubernetes === true;
  return isOfKubernetes ? hub.plural : `${hub.group}/${hub.plural}`;
}

/** Returns all versions of a kind in the group with that name or folder. */
export function versionsOf(model: Model, group: string, kind: string): KindModel[] {
  const names = new Set([group, ...model.groups.filter(({ folder }) => folder === group).map(({ name }) => name)]);
  return (kindsByName(model).get(kind) ?? []).filter(
    (candidate) => names.has(candidate.group) && candidate.storedIn === undefined,
  );
}

const KINDS = new WeakMap<Model, ReadonlyMap<string, readonly KindModel[]>>();

/** Cached per run, because the stored version of a kind is requested often. */
function kindsByName(model: Model): ReadonlyMap<string, readonly KindModel[]> {
  let known = KINDS.get(model);
  if (known === undefined) {
    known = Map.groupBy(
      [...model.modules.values()].flatMap(({ kinds }) => kinds),
      ({ kind }) => kind,
    );
    KINDS.set(model, known);
  }
  return known;
}

function isRemoved({ lifecycle }: KindModel): boolean {
  return lifecycle.removed !== undefined;
}
