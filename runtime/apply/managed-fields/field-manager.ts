import { carryNotes } from "../../go/source-notes.ts";
import { atOnce, type Steps } from "../../lib/in-turns.ts";
import {
  getObject,
  getOwn,
  getString,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  withOwn,
  withoutOwn,
} from "../../lib/json-object.ts";
import { formatTime } from "../../values/times.ts";
import type { FieldSet } from "../fieldpath/field-set.ts";
import { setToFieldsV1Steps } from "../fieldpath/fields-v1.ts";
import { internWhole } from "../fieldpath/intern-set.ts";
import { type Conflict, MergeConflictError } from "../merge/conflicts.ts";
import type { ManagerFields, Managers } from "../merge/managers.ts";
import { type ApplyResult, Updater, type UpdaterOptions } from "../merge/updater.ts";
import { ConversionError } from "../merge/versions.ts";
import { ListItemError } from "../typed/list-items.ts";
import { printTypeMismatches, validate, validateSteps } from "../typed/validate.ts";
import {
  ApplyConflictError,
  BadApplyRequestError,
  describeKind,
  describeObject,
  UntypableObjectError,
} from "./apply-errors.ts";
import { capUpdaters } from "./cap-updaters.ts";
import { fieldsLastApplied, KUBECTL, syncLastApplied } from "./last-applied.ts";
import {
  areReadableEntries,
  decodeManaged,
  encodeManaged,
  type Managed,
  ManagedFieldsError,
  NOTHING_MANAGED,
  prepareManagedSteps,
} from "./managed.ts";
import { identityKey } from "./manager-identity.ts";
import { withoutSystemFields } from "./system-fields.ts";

export interface FieldManagerOptions extends UpdaterOptions {
  /** The version and kind that requests are made in. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for the object itself. */
  readonly subresource?: string;
  readonly now: () => Date;
  /** How many managers may own fields by updates before the oldest are merged. */
  readonly maxUpdaters?: number;
  /** Conversion error to report, for resources whose applied configurations can never be converted. */
  readonly unconvertible?: string;
}

export interface HowToApply {
  readonly force: boolean;
  readonly isLarge?: boolean;
}

export interface FieldManager {
  /**
   * The object to store after a create (`live` undefined), update or patch that produced `next`, with its
   * managedFields brought up to date.
   */
  update(live: JsonObject | undefined, next: JsonObject, manager: string): JsonObject;
  /** The same for large objects; may be interrupted. */
  updateSteps(live: JsonObject | undefined, next: JsonObject, manager: string): Steps<JsonObject>;
  /**
   * The object to store after `config` is applied, without defaults. It is in the version of the live object, and is
   * the live object itself if nothing changes. Throws ApplyConflictError, BadApplyRequestError,
   * UntypableObjectError, ManagedFieldsError.
   */
  apply(live: JsonObject | undefined, config: JsonObject, manager: string, force: boolean): JsonObject;
  /** The same; may be interrupted, also within the passes over large objects. */
  applySteps(live: JsonObject | undefined, config: JsonObject, manager: string, how: HowToApply): Steps<JsonObject>;
}

/** Field manager recorded for the existing fields of an object at its first apply. */
const BEFORE_FIRST_APPLY = "before-first-apply";
const UNKNOWN_MANAGER = "unknown";
const DEFAULT_MAX_UPDATERS = 10;

/** Temporary manager for the request, until it is known whether the request changes anything. */
const THIS_REQUEST = "this-request";

export function createFieldManager(options: FieldManagerOptions): FieldManager {
  return new RequestFieldManager(options);
}

class RequestFieldManager implements FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #updater: Updater;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#updater = new Updater(options);
  }

  update(live: JsonObject | undefined, next: JsonObject, manager: string): JsonObject {
    if (!isJsonObject(getOwn(next, "metadata"))) return next;
    const managed = this.#managedForUpdate(live, next);
    // A stored object without managedFields gets none from an update, only from an apply. Creating an object records them.
    if (managed.fields.size === 0 && isStored(live)) return withManagedFields(next, []);
    const bare = withManagedFields(next, []);
    try {
      const entries = encodeManaged(this.#recordUpdate(live, bare, managed, manager));
      return withManagedFields(bare, reuseList(entries, managedFieldsOf(live)));
    } catch (error) {
      // Ownership cannot be computed for list entries without a key, or if the object is invalid in another version: store none.
      if (error instanceof ListItemError || error instanceof ConversionError) return bare;
      throw error;
    }
  }

  *updateSteps(live: JsonObject | undefined, next: JsonObject, manager: string): Steps<JsonObject> {
    if (!isJsonObject(getOwn(next, "metadata"))) return next;
    const written = managedFieldsOf(next);
    yield* prepareManagedSteps(isJsonArray(written) && written.length > 0 ? written : managedFieldsOf(live));
    const managed = this.#managedForUpdate(live, next, true);
    yield;
    const bare = withManagedFields(next, []);
    if (managed.fields.size === 0 && isStored(live)) return bare;
    try {
      const recorded = yield* this.#recordUpdateSteps(live, bare, managed, manager);
      yield;
      yield* printOwnersSteps(recorded);
      return withManagedFields(bare, reuseList(encodeManaged(recorded), managedFieldsOf(live)));
    } catch (error) {
      if (error instanceof ListItemError || error instanceof ConversionError) return bare;
      throw error;
    }
  }

  apply(live: JsonObject | undefined, config: JsonObject, manager: string, force: boolean): JsonObject {
    return atOnce(this.applySteps(live, config, manager, { force }));
  }

  *applySteps(live: JsonObject | undefined, config: JsonObject, manager: string, how: HowToApply): Steps<JsonObject> {
    yield* this.#checkConfig(config, how.isLarge === true);
    yield;
    const stored = live ?? this.#emptyObject();
    let managed = decodeManaged(managedFieldsOf(stored));
    yield;
    const bare = withManagedFields(stored, []);
    if (managed.fields.size === 0 && live !== undefined) {
      managed = yield* this.#recordExisting(bare, managed, how.isLarge === true);
      yield;
    }
    const result = yield* this.#applyAsKubectl(bare, config, managed, manager, how);
    yield;
    if (how.isLarge === true) yield* printOwnersSteps(result.managed);
    const object = manager === KUBECTL ? syncLastApplied(result.object, config) : result.object;
    const known = managedFieldsOf(stored);
    const entries = reuseList(encodeManaged(result.managed), known);
    if (object === bare && (entries === known || (entries.length === 0 && known === undefined))) return stored;
    return withManagedFields(object, entries);
  }

  /**
   * The managedFields to start from: those in the new object, if they are valid and not empty and the request is not for
   * a subresource; else those of the live object.
   */
  #managedForUpdate(live: JsonObject | undefined, next: JsonObject, isLarge = false): Managed {
    const written = managedFieldsOf(next);
    if (!this.#options.subresource) {
      if (isReset(written)) return NOTHING_MANAGED;
      const managed = decodeOrNothing(written, isLarge);
      if (managed.fields.size > 0) return managed;
    }
    return decodeOrNothing(managedFieldsOf(live), isLarge);
  }

  /** Records all fields of an object without managedFields as owned by `before-first-apply`. */
  *#recordExisting(object: JsonObject, managed: Managed, isLarge: boolean): Steps<Managed> {
    this.#checkConvertible("failed to create manager for existing fields: failed to convert live", this.#emptyObject());
    try {
      return isLarge
        ? yield* this.#recordUpdateSteps(undefined, object, managed, BEFORE_FIRST_APPLY)
        : this.#recordUpdate(undefined, object, managed, BEFORE_FIRST_APPLY);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      const existing = this.#versioned(object);
      const type = this.#options.schemaFor(this.#options.apiVersion);
      const mismatches = type === undefined ? [] : validate(type, existing, { allowDuplicates: true });
      const reason = mismatches.length > 0 ? printTypeMismatches(mismatches) : error.message;
      const problem = `failed to convert new object (${describeObject(existing)}) to smd typed: ${reason}`;
      throw new UntypableObjectError(`failed to create manager for existing fields: ${problem}`);
    }
  }

  #recordUpdate(live: JsonObject | undefined, next: JsonObject, managed: Managed, manager: string): Managed {
    const { apiVersion } = this.#options;
    const before = live === undefined ? this.#emptyObject() : withManagedFields(this.#versioned(live), []);
    const updated = this.#updater.update(before, this.#versioned(next), apiVersion, managed.fields, THIS_REQUEST);
    const { set, previous, fields } = this.#recorded(updated, manager);
    return this.#record(fields, managed, manager, set && (previous?.union(set) ?? set));
  }

  *#recordUpdateSteps(
    live: JsonObject | undefined,
    next: JsonObject,
    managed: Managed,
    manager: string,
  ): Steps<Managed> {
    const { apiVersion } = this.#options;
    const before = live === undefined ? this.#emptyObject() : withManagedFields(this.#versioned(live), []);
    const after = this.#versioned(next);
    const updated = yield* this.#updater.updateSteps(before, after, apiVersion, managed.fields, THIS_REQUEST);
    yield;
    const { set, previous, fields } = this.#recorded(updated, manager);
    const owned = set !== undefined && previous !== undefined ? yield* previous.unionSteps(set) : set;
    return this.#record(fields, managed, manager, owned);
  }

  /** What the request has changed, what the manager owned before, and the managers without the temporary one. */
  #recorded(updated: Managers, manager: string) {
    const fields = new Map(updated);
    const changed = fields.get(THIS_REQUEST);
    fields.delete(THIS_REQUEST);
    const set = changed && withoutSystemFields(changed.set);
    const previous = fields.get(this.#key(manager, "Update"))?.set;
    return { set: set?.isEmpty === true ? undefined : set, previous, fields };
  }

  #record(fields: Map<string, ManagerFields>, managed: Managed, manager: string, owned: FieldSet | undefined): Managed {
    const { apiVersion } = this.#options;
    if (owned === undefined) return capUpdaters({ ...managed, fields }, this.#maxUpdaters());
    const key = this.#key(manager, "Update");
    // Most writes repeat a known set (the manager's own, or one of another object): share it, as its FieldsV1 form is cached.
    const known = managed.fields.get(key)?.set;
    fields.set(key, { set: known?.equals(owned) ? known : internWhole(owned), apiVersion, applied: false });
    const times = new Map(managed.times).set(key, this.#time());
    return capUpdaters({ ...managed, fields, times }, this.#maxUpdaters());
  }

  /** kubectl may take over fields that it set by client-side apply: they do not count as conflicts. */
  *#applyAsKubectl(
    live: JsonObject,
    config: JsonObject,
    managed: Managed,
    manager: string,
    how: HowToApply,
  ): Steps<Applied> {
    try {
      return yield* this.#applyOnce(live, config, managed, manager, how);
    } catch (error) {
      if (!(error instanceof MergeConflictError)) throw error;
      yield;
      const remaining = manager === KUBECTL ? this.#withoutOwnConflicts(live, error.conflicts) : error.conflicts;
      if (remaining.length > 0) {
        const refusal = new ApplyConflictError(remaining);
        yield;
        throw refusal;
      }
      return yield* this.#applyOnce(live, config, managed, manager, { ...how, force: true });
    }
  }

  #withoutOwnConflicts(live: JsonObject, conflicts: readonly Conflict[]): readonly Conflict[] {
    const { apiVersion } = this.#options;
    const type = this.#options.schemaFor(apiVersion);
    const own = type && fieldsLastApplied(type, this.#versioned(live), apiVersion);
    return own === undefined ? conflicts : conflicts.filter((conflict) => !own.has(conflict.path));
  }

  *#applyOnce(
    live: JsonObject,
    config: JsonObject,
    managed: Managed,
    manager: string,
    how: HowToApply,
  ): Steps<Applied> {
    const key = this.#key(manager, "Apply");
    const versioned = this.#versioned(live);
    const merged = yield* this.#merge(versioned, config, managed, key, how);
    yield;
    const fields = new Map(merged.managers);
    const owned = fields.get(key);
    const set = owned && withoutSystemFields(owned.set);
    if (owned !== undefined && set !== undefined) {
      if (set.isEmpty) fields.delete(key);
      else fields.set(key, keepIfEqual(managed.fields.get(key), { ...owned, set }));
    }
    if (merged.object === undefined) return { object: live, managed: { ...managed, fields } };
    this.#checkConvertible("failed to convert new", config);
    const times = new Map(managed.times).set(key, this.#time());
    const version = getString(live, "apiVersion");
    const object = version === this.#options.apiVersion ? merged.object : this.#options.convert(merged.object, version);
    return { object, managed: { ...managed, fields, times } };
  }

  *#merge(
    live: JsonObject,
    config: JsonObject,
    managed: Managed,
    key: string,
    { force, isLarge }: HowToApply,
  ): Steps<ApplyResult> {
    const { apiVersion } = this.#options;
    try {
      return yield* this.#updater.applySteps(live, config, apiVersion, managed.fields, key, force, isLarge);
    } catch (error) {
      if (error instanceof ConversionError) throw new UntypableObjectError(error.message);
      if (!(error instanceof ListItemError)) throw error;
      throw new UntypableObjectError(`failed to create typed live object (${describeObject(live)}): ${error.message}`);
    }
  }

  #checkConvertible(failing: string, object: JsonObject): void {
    const { unconvertible } = this.#options;
    if (unconvertible === undefined) return;
    throw new UntypableObjectError(`${failing} object (${describeObject(object)}) to proper version: ${unconvertible}`);
  }

  *#checkConfig(config: JsonObject, isLarge: boolean): Steps<void> {
    const { apiVersion, kind } = this.#options;
    if (getString(config, "apiVersion") !== apiVersion || getString(config, "kind") !== kind) {
      throw new BadApplyRequestError(`invalid object type: ${describeKind(config)}`);
    }
    if (areReadableEntries(managedFieldsOf(config))) {
      throw new BadApplyRequestError("metadata.managedFields must be nil");
    }
    const type = this.#options.schemaFor(apiVersion);
    if (type === undefined) return;
    const mismatches = isLarge ? yield* validateSteps(type, config) : validate(type, config);
    if (mismatches.length > 0) {
      const reason = printTypeMismatches(mismatches);
      throw new UntypableObjectError(`failed to create typed patch object (${describeObject(config)}): ${reason}`);
    }
  }

  #versioned(object: JsonObject): JsonObject {
    const { apiVersion } = this.#options;
    return getString(object, "apiVersion") === apiVersion ? object : this.#options.convert(object, apiVersion);
  }

  #emptyObject(): JsonObject {
    return { apiVersion: this.#options.apiVersion, kind: this.#options.kind };
  }

  #key(manager: string, operation: "Apply" | "Update"): string {
    return identityKey(
      manager || UNKNOWN_MANAGER,
      operation,
      this.#options.apiVersion,
      this.#options.subresource ?? "",
    );
  }

  #time(): string {
    return formatTime(this.#options.now());
  }

  #maxUpdaters(): number {
    return this.#options.maxUpdaters ?? DEFAULT_MAX_UPDATERS;
  }
}

interface Applied {
  readonly object: JsonObject;
  readonly managed: Managed;
}

/** Keeps the entry as it was read if the apply sets the same fields in the same version. */
function keepIfEqual(previous: ManagerFields | undefined, next: ManagerFields): ManagerFields {
  const same = previous !== undefined && previous.apiVersion === next.apiVersion && previous.set.equals(next.set);
  return same ? previous : next;
}

function decodeOrNothing(entries: JsonValue | undefined, isLarge: boolean): Managed {
  try {
    return decodeManaged(entries, isLarge);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return NOTHING_MANAGED;
    throw error;
  }
}

/** One empty entry resets managedFields. An empty list does not, so that clients that do not know the field cannot clear it. */
function isReset(entries: JsonValue | undefined): boolean {
  if (!isJsonArray(entries)) return false;
  const [only] = entries;
  return entries.length === 1 && isJsonObject(only) && Object.keys(only).length === 0;
}

function isStored(live: JsonObject | undefined): boolean {
  return getString(getObject(live, "metadata"), "uid") !== "";
}

/** Prints the sets of fields that have changed, before they are encoded; may be interrupted. */
function* printOwnersSteps({ fields, read }: Managed): Steps<void> {
  for (const [key, owned] of fields) if (read.get(key)?.fields !== owned) yield* setToFieldsV1Steps(owned.set);
  yield;
}

function managedFieldsOf(object: JsonObject | undefined): JsonValue | undefined {
  return getOwn(getObject(object, "metadata"), "managedFields");
}

function withManagedFields(object: JsonObject, entries: JsonArray): JsonObject {
  const metadata = getObject(object, "metadata");
  if (entries.length === 0 && (metadata === undefined || !Object.hasOwn(metadata, "managedFields"))) return object;
  const changed = withOwn(
    object,
    "metadata",
    entries.length > 0
      ? withOwn(metadata ?? {}, "managedFields", entries)
      : withoutOwn(metadata ?? {}, "managedFields"),
  );
  carryNotes(object, changed);
  return changed;
}

/** The old list if it has identical entries, so that an unchanged object can be detected by identity. */
function reuseList(entries: JsonArray, known: JsonValue | undefined): JsonArray {
  if (!isJsonArray(known) || known.length !== entries.length) return entries;
  return entries.every((entry, index) => entry === known[index]) ? known : entries;
}
