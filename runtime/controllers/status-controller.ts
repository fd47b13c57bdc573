import type { ApiObject } from "../contract/api-object.ts";
import type { GroupResource, WriteAs } from "../contract/object-access.ts";
import { hasReason } from "../contract/status.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { type Controller, type ControllerParts, createQueueController, queueOptions } from "./controller.ts";

/** What a status controller watches, and how it computes the status. */
export interface StatusWork<T extends ApiObject> {
  readonly name: string;
  /** Cluster-scoped kind whose status is set. */
  readonly subject: GroupResource;
  /** Whether to ignore an object. */
  readonly isOther?: (object: T) => boolean;
  /** A kind on which the status depends: each of its changes causes a check of all subjects. */
  readonly dependsOn?: GroupResource;
  /** Returns the desired status; undefined if nothing has to be written. */
  readonly statusOf: (object: T) => Promise<T["status"] | undefined>;
  readonly as?: WriteAs;
}

/** Maintains the status of each object of a kind. */
export function createStatusController<T extends ApiObject>(parts: ControllerParts, work: StatusWork<T>): Controller {
  const { reader, writer, feed } = parts;
  const { name, subject, dependsOn } = work;
  const queue = new WorkQueue(sync, queueOptions(name, parts));
  const known = new Set<string>();

  async function sync(key: string): Promise<undefined> {
    const object = (await reader.get(subject, "", key)) as T | undefined;
    if (object === undefined || work.isOther?.(object)) return;
    const status = await work.statusOf(object);
    if (status === undefined) return;
    try {
      await writer.update(subject, { ...object, status }, "status", work.as);
    } catch (error) {
      // The watch delivers the newer state.
      if (!hasReason(error, "NotFound", "Conflict")) throw error;
    }
  }

  const followSubjects = () =>
    feed.follow(subject, ({ type, object }) => {
      const key = object.metadata.name ?? "";
      if (type === "delete" || work.isOther?.(object as T)) {
        known.delete(key);
      } else {
        known.add(key);
        queue.add(key);
      }
    });
  if (dependsOn === undefined) return createQueueController(name, queue, [followSubjects]);
  const followOthers = () =>
    feed.follow(dependsOn, () => {
      for (const key of known) queue.add(key);
    });
  return createQueueController(name, queue, [followSubjects, followOthers]);
}
