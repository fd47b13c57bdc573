import type { Steps } from "../../lib/in-turns.ts";
import { getString, type JsonObject } from "../../lib/json-object.ts";
import { type Conflict, MergeConflictError } from "../merge/conflicts.ts";
import type { ManagerFields } from "../merge/managers.ts";
import type { ApplyResult, HowToApply, Updater } from "../merge/updater.ts";
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
import { managedFieldsOf } from "./entries-of-object.ts";
import { fieldsLastApplied, KUBECTL } from "./last-applied.ts";
import { areReadableEntries, type Managed } from "./managed.ts";
import type { UpdateRecorder } from "./record-update.ts";
import type { FieldManagerOptions, RequestVersion } from "./request-version.ts";
import { withoutSystemFields } from "./system-fields.ts";

export interface Applied {
  readonly object: JsonObject;
  readonly managed: Managed;
}

/** Field manager that is recorded for the existing fields of an object at its first apply. */
const BEFORE_FIRST_APPLY = "before-first-apply";

/** The steps of an apply: check the configuration, record owners of existing fields, merge. Objects passed here have no managedFields. */
export class ConfigApplier {
  readonly #options: FieldManagerOptions;
  readonly #version: RequestVersion;
  readonly #updater: Updater;
  readonly #recorder: UpdateRecorder;

  constructor(options: FieldManagerOptions, version: RequestVersion, updater: Updater, recorder: UpdateRecorder) {
    this.#options = options;
    this.#version = version;
    this.#updater = updater;
    this.#recorder = recorder;
  }

  checkKind(config: JsonObject): void {
    const { apiVersion, kind } = this.#options;
    if (getString(config, "apiVersion") !== apiVersion || getString(config, "kind") !== kind) {
      throw new BadApplyRequestError(`invalid object type: ${describeKind(config)}`);
    }
  }

  *checkFields(config: JsonObject, isLarge: boolean): Steps<void> {
    const { apiVersion } = this.#options;
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

  /** Records all fields of an object without managedFields as owned by `before-first-apply`. */
  *recordExisting(object: JsonObject, managed: Managed, isLarge: boolean): Steps<Managed> {
    this.#checkConvertible(
      "failed to create manager for existing fields: failed to convert live",
      this.#version.emptyObject(),
    );
    try {
      return isLarge
        ? yield* this.#recorder.recordSteps(undefined, object, managed, BEFORE_FIRST_APPLY)
        : this.#recorder.record(undefined, object, managed, BEFORE_FIRST_APPLY);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      const existing = this.#version.of(object);
      const type = this.#options.schemaFor(this.#options.apiVersion);
      const mismatches = type === undefined ? [] : validate(type, existing, { allowDuplicates: true });
      const reason = mismatches.length > 0 ? printTypeMismatches(mismatches) : error.message;
      const problem = `failed to convert new object (${describeObject(existing)}) to smd typed: ${reason}`;
      throw new UntypableObjectError(`failed to create manager for existing fields: ${problem}`);
    }
  }

  /** Merges the configuration. kubectl may take ownership of fields that it set by client-side apply: they do not count as conflicts. */
  *apply(live: JsonObject, config: JsonObject, managed: Managed, manager: string, how: HowToApply): Steps<Applied> {
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
    const own = type && fieldsLastApplied(type, this.#version.of(live), apiVersion);
    return own === undefined ? conflicts : conflicts.filter((conflict) => !own.has(conflict.path));
  }

  *#applyOnce(
    live: JsonObject,
    config: JsonObject,
    managed: Managed,
    manager: string,
    how: HowToApply,
  ): Steps<Applied> {
    const key = this.#version.identityKey(manager, "Apply");
    const versioned = this.#version.of(live);
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
    const times = new Map(managed.times).set(key, this.#version.time());
    const version = getString(live, "apiVersion");
    const object = version === this.#options.apiVersion ? merged.object : this.#options.convert(merged.object, version);
    return { object, managed: { ...managed, fields, times } };
  }

  *#merge(live: JsonObject, config: JsonObject, managed: Managed, key: string, how: HowToApply): Steps<ApplyResult> {
    try {
      return yield* this.#updater.applySteps(live, config, managed.fields, key, how);
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
}

/** Keeps the previous entry if the apply sets the same fields in the same version. */
function keepIfEqual(previous: ManagerFields | undefined, next: ManagerFields): ManagerFields {
  const same = previous !== undefined && previous.apiVersion === next.apiVersion && previous.set.equals(next.set);
  return same ? previous : next;
}
