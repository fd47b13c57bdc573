import type { Steps } from "../../lib/in-turns.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import type { FieldSet } from "../fieldpath/field-set.ts";
import { internWhole } from "../fieldpath/intern-set.ts";
import type { ManagerFields, Managers } from "../merge/managers.ts";
import type { Updater } from "../merge/updater.ts";
import { capUpdaters } from "./cap-updaters.ts";
import { withManagedFields } from "./entries-of-object.ts";
import type { Managed } from "./managed.ts";
import type { FieldManagerOptions, RequestVersion } from "./request-version.ts";
import { withoutSystemFields } from "./system-fields.ts";

const DEFAULT_MAX_UPDATERS = 10;

/** Temporary manager of the request, until it is known whether the request changes anything. */
const THIS_REQUEST = "this-request";

/** Records a manager as the owner of the fields that an update changes. */
export class UpdateRecorder {
  readonly #options: FieldManagerOptions;
  readonly #version: RequestVersion;
  readonly #updater: Updater;

  constructor(options: FieldManagerOptions, version: RequestVersion, updater: Updater) {
    this.#options = options;
    this.#version = version;
    this.#updater = updater;
  }

  record(live: JsonObject | undefined, next: JsonObject, managed: Managed, manager: string): Managed {
    const before = this.#before(live);
    const updated = this.#updater.update(before, this.#version.of(next), managed.fields, THIS_REQUEST);
    const { set, previous, fields } = this.#changes(updated, manager);
    return this.#owning(fields, managed, manager, set && (previous?.union(set) ?? set));
  }

  /** Like `record`, for large objects; can be interrupted. */
  *recordSteps(live: JsonObject | undefined, next: JsonObject, managed: Managed, manager: string): Steps<Managed> {
    const before = this.#before(live);
    const updated = yield* this.#updater.updateSteps(before, this.#version.of(next), managed.fields, THIS_REQUEST);
    yield;
    const { set, previous, fields } = this.#changes(updated, manager);
    const owned = set !== undefined && previous !== undefined ? yield* previous.unionSteps(set) : set;
    return this.#owning(fields, managed, manager, owned);
  }

  #before(live: JsonObject | undefined): JsonObject {
    return live === undefined ? this.#version.emptyObject() : withManagedFields(this.#version.of(live), []);
  }

  /** Returns the fields that the request changed, the fields that the manager owned before, and the managers without the temporary one. */
  #changes(updated: Managers, manager: string) {
    const fields = new Map(updated);
    const changed = fields.get(THIS_REQUEST);
    fields.delete(THIS_REQUEST);
    const set = changed && withoutSystemFields(changed.set);
    const previous = fields.get(this.#version.identityKey(manager, "Update"))?.set;
    return { set: set?.isEmpty === true ? undefined : set, previous, fields };
  }

  #owning(fields: Map<string, ManagerFields>, managed: Managed, manager: string, owned: FieldSet | undefined): Managed {
    const { apiVersion, maxUpdaters = DEFAULT_MAX_UPDATERS } = this.#options;
    if (owned === undefined) return capUpdaters({ ...managed, fields }, maxUpdaters);
    const key = this.#version.identityKey(manager, "Update");
    // Most writes repeat a known set (the manager's own, or one of another object). The known set is shared, because its FieldsV1 form is cached.
    const known = managed.fields.get(key)?.set;
    fields.set(key, { set: known?.equals(owned) ? known : internWhole(owned), apiVersion, applied: false });
    const times = new Map(managed.times).set(key, this.#version.time());
    return capUpdaters({ ...managed, fields, times }, maxUpdaters);
  }
}
