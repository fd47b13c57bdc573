import { atOnce, type Steps } from "../../lib/in-turns.ts";
import {
  getObject,
  getOwn,
  getString,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json-object.ts";
import { setToFieldsV1Steps } from "../fieldpath/fields-v1.ts";
import { type HowToApply, Updater } from "../merge/updater.ts";
import { ConversionError } from "../merge/versions.ts";
import { ListItemError } from "../typed/list-items.ts";
import { ConfigApplier } from "./apply-config.ts";
import { givenManagedFields, isReset, managedFieldsOf, reuseList, withManagedFields } from "./entries-of-object.ts";
import { KUBECTL, syncLastApplied } from "./last-applied.ts";
import {
  decodeManaged,
  encodeManaged,
  inPrintedForm,
  type Managed,
  ManagedFieldsError,
  NOTHING_MANAGED,
  prepareManagedSteps,
} from "./managed.ts";
import { UpdateRecorder } from "./record-update.ts";
import { type FieldManagerOptions, RequestVersion } from "./request-version.ts";

export interface FieldManager {
  /** Returns the object to store after a create (`live` is undefined), update or patch that produced `next`, with updated managedFields. */
  update(live: JsonObject | undefined, next: JsonObject, manager: string): JsonObject;
  /** Like `update`, for large objects; can be interrupted. */
  updateSteps(live: JsonObject | undefined, next: JsonObject, manager: string): Steps<JsonObject>;
  /**
   * Returns the object to store after `config` is applied, without defaults. It has the version of the live object, and is the live object itself
   * if nothing changes. Throws ApplyConflictError, BadApplyRequestError, UntypableObjectError, ManagedFieldsError.
   */
  apply(live: JsonObject | undefined, config: JsonObject, manager: string, force: boolean): JsonObject;
  /** Like `apply`; can be interrupted, also within the passes over large objects. */
  applySteps(live: JsonObject | undefined, config: JsonObject, manager: string, how: HowToApply): Steps<JsonObject>;
}

export function createFieldManager(options: FieldManagerOptions): FieldManager {
  return new RequestFieldManager(options);
}

class RequestFieldManager implements FieldManager {
  readonly #isSubresource: boolean;
  readonly #version: RequestVersion;
  readonly #recorder: UpdateRecorder;
  readonly #applier: ConfigApplier;

  constructor(options: FieldManagerOptions) {
    const updater = new Updater(options);
    this.#isSubresource = (options.subresource ?? "") !== "";
    this.#version = new RequestVersion(options);
    this.#recorder = new UpdateRecorder(options, this.#version, updater);
    this.#applier = new ConfigApplier(options, this.#version, updater, this.#recorder);
  }

  update(live: JsonObject | undefined, next: JsonObject, manager: string): JsonObject {
    if (!isJsonObject(getOwn(next, "metadata"))) return next;
    const managed = this.#managedForUpdate(live, next);
    // An update does not add managedFields to a stored object without any; only an apply does. A create records them.
    if (managed.fields.size === 0 && isStored(live)) return withManagedFields(next, []);
    const bare = withManagedFields(next, []);
    try {
      const recorded = this.#recorder.record(live, bare, managed, manager);
      return withManagedFields(bare, reuseList(encodeManaged(recorded), managedFieldsOf(live)));
    } catch (error) {
      // Ownership cannot be computed for list entries without a key, or if the object is invalid in another version: managedFields are removed.
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
      const recorded = yield* this.#recorder.recordSteps(live, bare, managed, manager);
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
    this.#applier.checkKind(config);
    const stored = live ?? this.#version.emptyObject();
    let managed = decodeManaged(managedFieldsOf(stored));
    yield;
    const bare = withManagedFields(stored, []);
    if (managed.fields.size === 0 && live !== undefined) {
      managed = yield* this.#applier.recordExisting(bare, managed, how.isLarge === true);
      yield;
    }
    // Checked after the fields of the live object, as in Kubernetes.
    yield* this.#applier.checkFields(config, how.isLarge === true);
    yield;
    const result = yield* this.#applier.apply(bare, config, managed, manager, how);
    yield;
    if (how.isLarge === true) yield* printOwnersSteps(result.managed);
    const object = manager === KUBECTL ? syncLastApplied(result.object, config) : result.object;
    const known = managedFieldsOf(stored);
    const entries = reuseList(encodeManaged(result.managed), known);
    if (object === bare && (entries === known || (entries.length === 0 && known === undefined))) return stored;
    return withManagedFields(object, entries);
  }

  /**
   * Returns the initial managedFields: those of the new object if they are valid and the request is not for a subresource, otherwise those of the
   * live object.
   */
  #managedForUpdate(live: JsonObject | undefined, next: JsonObject, isLarge = false): Managed {
    const written = givenManagedFields(next);
    if (!this.#isSubresource) {
      if (isReset(written)) return NOTHING_MANAGED;
      const managed = decodeOrNothing(written, isLarge);
      if (managed.fields.size > 0) return inPrintedForm(managed, managedFieldsOf(live));
    }
    return decodeOrNothing(managedFieldsOf(live), isLarge);
  }
}

function decodeOrNothing(entries: JsonValue | undefined, isLarge: boolean): Managed {
  try {
    return decodeManaged(entries, isLarge);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return NOTHING_MANAGED;
    throw error;
  }
}

function isStored(live: JsonObject | undefined): boolean {
  return getString(getObject(live, "metadata"), "uid") !== "";
}

/** Prints the changed field sets before they are encoded; can be interrupted. */
function* printOwnersSteps({ fields, read }: Managed): Steps<void> {
  for (const [key, owned] of fields) if (read.get(key)?.fields !== owned) yield* setToFieldsV1Steps(owned.set);
  yield;
}
