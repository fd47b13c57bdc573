import type { Naming } from "../../../contract/naming.ts";
import type { GroupResource, ObjectChange, ObjectChanger } from "../../../contract/object-access.ts";
import { hasReason } from "../../../contract/status.ts";
import { abortableDelay } from "../../../lib/clock.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import { rest, SLICE_MS } from "../../../lib/in-turns.ts";
import type { Log } from "../../../lib/log.ts";
import { formatTime } from "../../../values/times.ts";
import { AcceptedNames, acceptNames } from "./accept-names.ts";
import { approvalCondition } from "./approval.ts";
import {
  type CustomDefinition,
  cleanupFinalizer,
  type DefinitionCondition,
  type DefinitionStatus,
  isConditionTrue,
  withCondition,
} from "./custom-definition.ts";
import { type DefinitionSource, NOT_IN_OUTLINE, outlineOf } from "./definition-source.ts";
import { isServed } from "./describe-resources.ts";
import { type InstanceAccess, removeInstances } from "./remove-instances.ts";

export interface LifecycleParts {
  readonly naming: Naming;
  readonly objects: InstanceAccess & ObjectChanger;
  /** Starts or updates serving the definition of that name. Stops serving it if `definition` is undefined. */
  readonly serve: (name: string, definition: DefinitionSource | undefined) => void;
  /** Set if another process updates the status of definitions and deletes objects; this process then only serves. */
  readonly isFollower?: boolean;
  /** Called after the served kinds changed and after definitions were processed. Calls never overlap. Processing does not wait for them. */
  readonly served: () => Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Follows definitions: accepts names, serves kinds, updates their status, and deletes all objects of a kind before its definition. A kind
 * is served before its definition is established, and listed in discovery only afterwards. A client that finds it in discovery can therefore
 * change the definition without a conflict with this status update.
 */
export class DefinitionLifecycle {
  readonly #parts: LifecycleParts;
  readonly #resource: GroupResource;
  readonly #finalizer: string;
  readonly #definitions = new Map<string, DefinitionSource>();
  /** The last unprocessed change of each definition. Processing is deferred because parsing large definitions takes time. */
  readonly #changes = new Map<string, ObjectChange>();
  /** Resource versions that this process wrote, by name of the definition. Removed when the change event arrives. */
  readonly #written = new Map<string, string>();
  readonly #names = new AcceptedNames();
  /** Names of definitions whose names are not all accepted, by group. */
  readonly #rejected = new Map<string, Set<string>>();
  readonly #removing = new Set<string>();
  /** Names of definitions that are established in `#definitions` but not yet in the store. */
  readonly #unstored = new Set<string>();
  readonly #stopped = new AbortController();
  /** Names of definitions to process, in this order. */
  readonly #pending = new Set<string>();
  #working: Promise<void> = Promise.resolve();
  /**
   * Status writes in progress, by name of the definition. `#again` contains those definitions to process again after their write, even if they
   * do not change.
   */
  readonly #writes = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  #followUp: Promise<void> = Promise.resolve();
  #isFollowUpDue = false;
  /** Definitions are not processed before all of them are loaded: a name that one requests may be accepted for another. */
  #isStarted = false;
  #isWorking = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.#resource = { group: parts.naming.group("apiextensions"), resource: "customresourcedefinitions" };
    this.#finalizer = cleanupFinalizer(parts.naming.domain);
  }

  /** Resolves when all established kinds are served. The returned function stops. */
  async start(): Promise<() => Promise<void>> {
    const unfollow = await this.#parts.objects.follow(this.#resource, (change) => this.#note(change));
    for (const name of [...this.#changes.keys()]) {
      this.#read(name);
      this.#serve(name);
    }
    this.#isStarted = true;
    this.#work();
    return async () => {
      this.#stopped.abort();
      unfollow();
      await this.#working;
      await Promise.all(this.#writes.values());
      await this.#followUp;
    };
  }

  #note(change: ObjectChange): void {
    this.#changes.set(change.name, change);
    if (this.#writes.has(change.name)) return;
    this.#pending.add(change.name);
    this.#work();
  }

  /** Applies the last unprocessed change of a definition to `#definitions`. */
  #read(name: string): void {
    const change = this.#changes.get(name);
    if (change === undefined) return;
    this.#changes.delete(name);
    const written = this.#written.get(name);
    this.#written.delete(name);
    const known = this.#definitions.get(name);
    if (change.type === "delete") this.#put(name, undefined);
    else if (known !== undefined && written !== undefined && change.metadata.resourceVersion === written)
      this.#put(name, { outline: withVersion(known.outline, written), full: () => parse(change) });
    else this.#put(name, sourceOf(change));
    this.#unstored.delete(name);
  }

  #put(name: string, definition: DefinitionSource | undefined): void {
    const former = this.#definitions.get(name)?.outline;
    if (former !== undefined) {
      this.#names.remove(former);
      const rejected = this.#rejected.get(former.spec.group);
      if (rejected?.delete(name) && rejected.size === 0) this.#rejected.delete(former.spec.group);
    }
    if (definition === undefined) {
      this.#definitions.delete(name);
      return;
    }
    const { outline } = definition;
    this.#definitions.set(name, definition);
    this.#names.add(outline);
    if (isConditionTrue(outline, "NamesAccepted")) return;
    const { group } = outline.spec;
    this.#rejected.set(group, (this.#rejected.get(group) ?? new Set()).add(name));
  }

  #work(): void {
    if (!this.#isStarted || this.#isWorking || this.#stopped.signal.aborted || this.#pending.size === 0) return;
    this.#isWorking = true;
    this.#working = this.#drain().finally(() => {
      this.#isWorking = false;
      this.#work();
    });
  }

  /** Processes pending definitions: accepts names in order, in memory. Statuses are written concurrently, up to MOST_WRITES at a time. */
  async #drain(): Promise<void> {
    let end = performance.now() + SLICE_MS;
    for (const name of this.#pending) {
      if (this.#stopped.signal.aborted) return;
      this.#pending.delete(name);
      if (this.#writes.has(name)) this.#again.add(name);
      else this.#begin(name);
      if (this.#writes.size >= MOST_WRITES) await Promise.race(this.#writes.values());
      if (performance.now() < end) continue;
      this.#planFollowUp();
      await rest();
      end = performance.now() + SLICE_MS;
    }
    if (this.#writes.size === 0) this.#planFollowUp();
  }

  /** Processes a definition immediately, and starts writing its status in the background if necessary. */
  #begin(name: string): void {
    const what = `custom resource definition ${name}`;
    let write: (() => Promise<void>) | undefined;
    try {
      write = this.#settle(name);
    } catch (error) {
      this.#warn(what, error);
    }
    if (write === undefined) return;
    // Deferred, so that the write starts after `#writes` contains it.
    const written = Promise.resolve()
      .then(() => this.#attempt(what, write))
      .then(() => this.#endWrite(name));
    this.#writes.set(name, written);
  }

  #endWrite(name: string): void {
    this.#writes.delete(name);
    this.#planFollowUp();
    if (!this.#again.delete(name) && !this.#changes.has(name)) return;
    this.#pending.add(name);
    this.#work();
  }

  #planFollowUp(): void {
    if (this.#isFollowUpDue) return;
    this.#isFollowUpDue = true;
    this.#followUp = this.#followUp.then(() => {
      this.#isFollowUpDue = false;
      return this.#attempt("versions of custom kinds", () => this.#parts.served());
    });
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#warn(what, error);
    }
  }

  #warn(what: string, error: unknown): void {
    this.#parts.log("warn", `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** Serves a definition or stops serving it. Returns the function that writes its status, or undefined if the status is up to date. */
  #settle(name: string): (() => Promise<void>) | undefined {
    this.#read(name);
    const definition = this.#definitions.get(name);
    if (definition === undefined) {
      this.#serve(name);
      this.#reconsider(name);
      return undefined;
    }
    const { outline } = definition;
    const status = this.#judge(outline);
    if (status === (outline.status ?? status)) {
      this.#serve(name);
      this.#cleanUp(outline);
      return undefined;
    }
    this.#put(name, { outline: { ...outline, status }, full: () => ({ ...definition.full(), status }) });
    if (!isConditionTrue(outline, "Established")) this.#unstored.add(name);
    this.#serve(name);
    return this.#parts.isFollower ? undefined : () => this.#writeStatus(name, outline, status);
  }

  async #writeStatus(name: string, outline: CustomDefinition, status: DefinitionStatus): Promise<void> {
    const written = await this.#write(name, (live) => ({
      ...withVersion(live, outline.metadata.resourceVersion),
      status,
    }));
    if (written === undefined) return;
    if (written.resourceVersion !== undefined) this.#noteWritten(name, written.resourceVersion);
    if (this.#unstored.delete(name)) this.#serve(name);
    this.#reconsider(name);
    this.#cleanUp(outline);
  }

  /** Handles the response to a status write. If the event of that change has already arrived, applies it without further processing. */
  #noteWritten(name: string, resourceVersion: string): void {
    this.#written.set(name, resourceVersion);
    const change = this.#changes.get(name);
    if (change === undefined || change.type === "delete" || change.metadata.resourceVersion !== resourceVersion) return;
    this.#read(name);
    this.#serve(name);
  }

  /** Returns the desired status, or the current status object if it is up to date. */
  #judge(definition: CustomDefinition): DefinitionStatus {
    const named = acceptNames(definition, this.#names.ofOthers(definition), this.#time());
    const approval = approvalCondition(definition, this.#parts.naming);
    if (approval === undefined) return named;
    const conditions = withCondition(named.conditions ?? [], approval, this.#time());
    return equalJson(conditions, named.conditions) ? named : { ...named, conditions };
  }

  /** Schedules definitions of the group with rejected names: the names may be free now. */
  #reconsider(name: string): void {
    const group = name.slice(name.indexOf(".") + 1);
    for (const other of this.#rejected.get(group) ?? []) if (other !== name) this.#pending.add(other);
  }

  #serve(name: string): void {
    const definition = this.#definitions.get(name);
    const isShown = definition !== undefined && isServed(definition.outline);
    const shown = isShown && this.#unstored.has(name) ? unestablished(definition) : definition;
    this.#parts.serve(name, isShown ? shown : undefined);
  }

  /** Deletes the objects of a deleted definition in the background, because it may take long. */
  #cleanUp({ metadata }: CustomDefinition): void {
    if (metadata.deletionTimestamp === undefined || !(metadata.finalizers ?? []).includes(this.#finalizer)) return;
    const name = metadata.name ?? "";
    if (this.#parts.isFollower || this.#removing.has(name)) return;
    this.#removing.add(name);
    void this.#attempt(`removing objects of ${name}`, () => this.#removeAll(name)).finally(() =>
      this.#removing.delete(name),
    );
  }

  async #removeAll(name: string): Promise<void> {
    const definition = this.#definitions.get(name)?.outline;
    if (definition === undefined) return;
    const { group, names } = definition.spec;
    if (isServed(definition)) {
      await this.#setCondition(name, IN_PROGRESS);
      while (!(await this.#removeObjects(name, { group, resource: names.plural }))) {
        await abortableDelay(RETRY_MS, this.#stopped.signal);
        if (this.#stopped.signal.aborted || !this.#definitions.has(name)) return;
      }
      if (this.#stopped.signal.aborted) return;
    }
    await this.#setCondition(name, isServed(definition) ? COMPLETED : NEVER_ESTABLISHED, true);
  }

  /** Returns false if objects cannot be read or deleted, for example because a conversion webhook is down. The condition contains the reason. */
  async #removeObjects(name: string, resource: GroupResource): Promise<boolean> {
    try {
      await removeInstances(resource, this.#parts.objects, this.#stopped.signal);
      return true;
    } catch (error) {
      const message = `could not list instances: ${error instanceof Error ? error.message : String(error)}`;
      await this.#setCondition(name, { ...IN_PROGRESS, reason: "InstanceDeletionFailed", message });
      return false;
    }
  }

  /** Sets a condition on the current definition. With `finish`, also removes the cleanup finalizer. */
  async #setCondition(
    name: string,
    condition: Omit<DefinitionCondition, "lastTransitionTime">,
    finish = false,
  ): Promise<void> {
    await this.#write(name, (live) => {
      const conditions = withCondition(live.status?.conditions ?? [], condition, this.#time());
      const finalizers = (live.metadata.finalizers ?? []).filter(
        (finalizer) => !finish || finalizer !== this.#finalizer,
      );
      const { finalizers: _all, ...metadata } = live.metadata;
      const kept = finalizers.length === 0 ? metadata : { ...metadata, finalizers };
      return { ...live, metadata: kept, status: { ...live.status, conditions } };
    });
  }

  /** Writes a change. Returns the resulting resource version, or undefined after a conflict: the watch will deliver the other change. */
  async #write(
    name: string,
    change: (live: CustomDefinition) => CustomDefinition,
  ): Promise<{ readonly resourceVersion?: string } | undefined> {
    const place = { namespace: "", name };
    try {
      const { resourceVersion } = await this.#parts.objects.change(
        this.#resource,
        place,
        (live) => change(live as CustomDefinition),
        "status",
      );
      return { resourceVersion };
    } catch (error) {
      if (hasReason(error, "Conflict")) return undefined;
      if (hasReason(error, "NotFound")) return {};
      throw error;
    }
  }

  #time(): string {
    return formatTime(this.#parts.now());
  }
}

function parse(change: ObjectChange): CustomDefinition {
  return (change.objectOnce ?? change.object) as CustomDefinition;
}

/** Creates the source of a changed definition. Schemas are parsed when they are needed. */
function sourceOf(change: ObjectChange): DefinitionSource {
  const parsed = change.objectWithout?.(NOT_IN_OUTLINE) ?? change.object;
  return { outline: outlineOf(parsed as CustomDefinition), full: () => parse(change) };
}

/** Returns the definition with another resource version, or without one if `resourceVersion` is undefined. */
function withVersion(definition: CustomDefinition, resourceVersion: string | undefined): CustomDefinition {
  const { resourceVersion: _former, ...metadata } = definition.metadata;
  return { ...definition, metadata: { ...metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
}

/** Returns the definition without the Established condition, which is not stored yet. */
function unestablished({ outline, full }: DefinitionSource): DefinitionSource {
  const conditions = (outline.status?.conditions ?? []).filter(({ type }) => type !== "Established");
  return { outline: { ...outline, status: { ...outline.status, conditions } }, full };
}

/** Maximum number of concurrent status writes. Requests that arrive in the meantime share commits with them. */
const MOST_WRITES = 8;

/** Retry interval for objects that could not be deleted. */
const RETRY_MS = 1000;

const IN_PROGRESS = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};
const COMPLETED = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};
const NEVER_ESTABLISHED = {
  type: "Terminating",
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
};
