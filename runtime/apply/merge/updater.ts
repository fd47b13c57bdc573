import type { MergeType } from "../../contract/merge-schema.ts";
import { equalJson, equalJsonSteps } from "../../lib/equal-json.ts";
import type { Steps } from "../../lib/in-turns.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import type { FieldFilter } from "../fieldpath/field-filter.ts";
import { FieldSet } from "../fieldpath/field-set.ts";
import { type CompareOptions, compare, compareSteps } from "../typed/compare.ts";
import type { Comparison } from "../typed/comparison.ts";
import { merge, mergeSteps } from "../typed/merge.ts";
import { reconcile } from "../typed/reconcile.ts";
import { toFieldSet, toFieldSetSteps } from "../typed/to-field-set.ts";
import { conflictsOf, MergeConflictError } from "./conflicts.ts";
import type { ManagerFields, Managers } from "./managers.ts";
import { pruneSteps } from "./prune.ts";
import { VersionedObject, type Versions } from "./versions.ts";

export interface UpdaterOptions extends Versions {
  /** The version of the request. All objects that are passed have this version. */
  readonly apiVersion: string;
  /** Returns a filter that removes the fields which requests of this kind cannot change and therefore never own. */
  resetFields?(apiVersion: string): FieldFilter | undefined;
}

export interface HowToApply {
  readonly force: boolean;
  /** Whether the passes over the object can be interrupted too. */
  readonly isLarge?: boolean;
}

export interface ApplyResult {
  /** The merged object. Undefined if the apply changes nothing. */
  readonly object: JsonObject | undefined;
  readonly managers: Managers;
}

/** Computes field ownership after a write. Managers keep the version they used. */
export class Updater {
  readonly #options: UpdaterOptions;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /** Computes ownership after an update: `manager` becomes the only owner of changed fields. Managers that own nothing are dropped. */
  update(live: JsonObject, next: JsonObject, managers: Managers, manager: string): Managers {
    const { apiVersion } = this.#options;
    const before = new VersionedObject(this.#options, apiVersion, live);
    const reconciled = this.#reconcile(before, managers);
    const change = this.#change(before, next, { wholeObjects: true });
    const others = this.#release(reconciled, manager, change);
    const owned = others.get(manager)?.set ?? FieldSet.EMPTY;
    const { added, modified, removed } = change.in(apiVersion);
    return this.#claim(others, manager, owned.difference(removed).union(modified).union(added));
  }

  /** Like `update`, for large objects; can be interrupted. */
  *updateSteps(live: JsonObject, next: JsonObject, managers: Managers, manager: string): Steps<Managers> {
    const { apiVersion } = this.#options;
    const before = new VersionedObject(this.#options, apiVersion, live);
    const reconciled = this.#reconcile(before, managers);
    yield;
    const change = this.#change(before, next, { wholeObjects: true });
    yield* change.prepareSteps(apiVersion);
    yield;
    const others = yield* this.#releaseSteps(reconciled, manager, change);
    const { added, modified, removed } = change.in(apiVersion);
    const owned = yield* (others.get(manager)?.set ?? FieldSet.EMPTY).differenceSteps(removed);
    const changed = yield* owned.unionSteps(modified);
    return this.#claim(others, manager, yield* changed.unionSteps(added));
  }

  #claim(others: Managers, manager: string, owned: FieldSet): Managers {
    const { apiVersion } = this.#options;
    const set = this.#filter(apiVersion, owned);
    const result = new Map(others);
    if (set.isEmpty) result.delete(manager);
    else result.set(manager, { set, apiVersion, applied: false });
    return result;
  }

  /**
   * Merges a configuration into the live object for an applier. Throws MergeConflictError if that changes fields of other managers, unless forced.
   * The configuration must be valid. Can be interrupted; large objects are compared in steps.
   */
  *applySteps(
    live: JsonObject,
    config: JsonObject,
    managers: Managers,
    manager: string,
    { force, isLarge = false }: HowToApply,
  ): Steps<ApplyResult> {
    const { apiVersion } = this.#options;
    const type = this.#schema(apiVersion);
    const before = new VersionedObject(this.#options, apiVersion, live);
    const reconciled = this.#reconcile(before, managers);
    yield;
    const merged = (isLarge ? yield* mergeSteps(type, live, config) : merge(type, live, config)) as JsonObject;
    yield;
    const applied = isLarge ? yield* toFieldSetSteps(type, config) : toFieldSet(type, config);
    yield;
    const set = this.#filter(apiVersion, applied);
    yield;
    const claimed = new Map(reconciled).set(manager, { set, apiVersion, applied: true });
    const object = yield* pruneSteps(this.#options, merged, apiVersion, claimed, manager, reconciled.get(manager));
    yield;
    const change = this.#change(before, object, {});
    if (isLarge) {
      yield* change.prepareSteps(apiVersion);
      yield;
    }
    if (!force) yield* this.#refuseConflicts(claimed, manager, change);
    const owners = isLarge
      ? yield* this.#releaseSteps(claimed, manager, change)
      : this.#release(claimed, manager, change);
    yield;
    const isSame = isLarge ? yield* equalJsonSteps(live, object) : equalJson(live, object);
    return { object: isSame ? undefined : object, managers: dropEmpty(owners) };
  }

  #schema(apiVersion: string): MergeType {
    const type = this.#options.schemaFor(apiVersion);
    if (type === undefined) throw new Error(`no merge schema for ${apiVersion}`);
    return type;
  }

  #filter(apiVersion: string, set: FieldSet): FieldSet {
    return this.#options.resetFields?.(apiVersion)?.(set) ?? set;
  }

  /**
   * Drops managers of versions that are no longer served and adapts the others to the current schema. The live object must be valid in all of
   * their versions.
   */
  #reconcile(live: VersionedObject, managers: Managers): Managers {
    const result = new Map<string, ManagerFields>();
    for (const [manager, fields] of managers) {
      const type = this.#options.schemaFor(fields.apiVersion);
      if (type === undefined) continue;
      live.in(fields.apiVersion);
      const set = reconcile(type, fields.set);
      result.set(manager, set === fields.set ? fields : { ...fields, set });
    }
    return result;
  }

  #change(before: VersionedObject, next: JsonObject, options: CompareOptions): Change {
    const after = new VersionedObject(this.#options, this.#options.apiVersion, next, "failed to convert new object");
    return new Change(
      (version) =>
        this.#filtered(version, compare(this.#schema(version), before.in(version), after.in(version), options)),
      (version) => this.#compareSteps(version, before, after, options),
    );
  }

  *#compareSteps(
    version: string,
    before: VersionedObject,
    after: VersionedObject,
    options: CompareOptions,
  ): Steps<Comparison> {
    const found = yield* compareSteps(this.#schema(version), before.in(version), after.in(version), options);
    return this.#filtered(version, found);
  }

  #filtered(version: string, { added, modified, removed }: Comparison): Comparison {
    return {
      added: this.#filter(version, added),
      modified: this.#filter(version, modified),
      removed: this.#filter(version, removed),
    };
  }

  *#refuseConflicts(managers: Managers, self: string, change: Change): Steps<void> {
    const conflicts = new Map<string, FieldSet>();
    for (const [manager, fields] of managers) {
      if (manager === self) continue;
      const conflict = fields.set.intersection(change.writtenIn(fields.apiVersion));
      if (conflict.isEmpty) continue;
      conflicts.set(manager, conflict);
      yield;
    }
    if (conflicts.size > 0) throw new MergeConflictError(conflictsOf(conflicts));
  }

  /** Removes changed and removed fields from all managers except `self`. Managers that then own nothing are dropped. */
  #release(managers: Managers, self: string, change: Change): Managers {
    const result = new Map<string, ManagerFields>();
    for (const [manager, fields] of managers) {
      if (manager === self) {
        result.set(manager, fields);
        continue;
      }
      const { added, modified, removed } = change.in(fields.apiVersion);
      const set = fields.set.difference(modified).difference(added).difference(removed);
      if (!set.isEmpty) result.set(manager, set === fields.set ? fields : { ...fields, set });
    }
    return result;
  }

  /** Like `#release`, for large sets; can be interrupted. */
  *#releaseSteps(managers: Managers, self: string, change: Change): Steps<Managers> {
    const result = new Map<string, ManagerFields>();
    for (const [manager, fields] of managers) {
      let { set } = fields;
      if (manager !== self) {
        const { added, modified, removed } = change.in(fields.apiVersion);
        for (const gone of [modified, added, removed]) set = yield* set.differenceSteps(gone);
        if (set.isEmpty) continue;
      }
      result.set(manager, set === fields.set ? fields : { ...fields, set });
      yield;
    }
    return result;
  }
}

/** The difference between two objects, by version. Each version is compared at most once. */
class Change {
  readonly #compare: (apiVersion: string) => Comparison;
  readonly #compareSteps: (apiVersion: string) => Steps<Comparison>;
  readonly #byVersion = new Map<string, Comparison>();
  readonly #written = new Map<string, FieldSet>();

  constructor(compare: (apiVersion: string) => Comparison, compareSteps: (apiVersion: string) => Steps<Comparison>) {
    this.#compare = compare;
    this.#compareSteps = compareSteps;
  }

  in(apiVersion: string): Comparison {
    let comparison = this.#byVersion.get(apiVersion);
    if (comparison === undefined) this.#byVersion.set(apiVersion, (comparison = this.#compare(apiVersion)));
    return comparison;
  }

  /** Returns the fields that are added or modified in a version. */
  writtenIn(apiVersion: string): FieldSet {
    let written = this.#written.get(apiVersion);
    if (written === undefined) {
      const { added, modified } = this.in(apiVersion);
      this.#written.set(apiVersion, (written = modified.union(added)));
    }
    return written;
  }

  /** Compares large objects in a version in advance; can be interrupted. */
  *prepareSteps(apiVersion: string): Steps<void> {
    this.#byVersion.set(apiVersion, yield* this.#compareSteps(apiVersion));
  }
}

function dropEmpty(managers: Managers): Managers {
  for (const fields of managers.values()) {
    if (fields.set.isEmpty) return new Map([...managers].filter(([, { set }]) => !set.isEmpty));
  }
  return managers;
}
