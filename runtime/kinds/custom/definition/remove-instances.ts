import type { GroupResource, ObjectFeed, ObjectReader, ObjectWriter } from "../../../contract/object-access.ts";
import { hasReason } from "../../../contract/status.ts";
import { abortableDelay } from "../../../lib/clock.ts";

export type InstanceAccess = ObjectReader & ObjectWriter & ObjectFeed;

/**
 * Delay before the kind disappears. A client that has just removed the last finalizer may read the object again, and should then receive a
 * 404 for the object and not for the kind.
 */
const LINGER_MS = 1000;

/** Deletes every object of a kind and waits, without a timeout, until the last one is gone. */
export async function removeInstances(
  resource: GroupResource,
  objects: InstanceAccess,
  stopped: AbortSignal,
): Promise<void> {
  const present = new Set<string>();
  let onEmpty: () => void = () => undefined;
  const empty = new Promise<void>((resolve) => {
    onEmpty = resolve;
  });
  stopped.addEventListener("abort", onEmpty, { once: true });
  const unfollow = await objects.follow(resource, ({ type, object }) => {
    const key = `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
    if (type === "put") present.add(key);
    else if (present.delete(key) && present.size === 0) onEmpty();
  });
  try {
    for (const key of present) {
      const [namespace = "", name = ""] = key.split("/");
      await deleteIfThere(resource, namespace, name, objects);
    }
    if (present.size === 0) return;
    await empty;
    await abortableDelay(LINGER_MS, stopped);
  } finally {
    unfollow();
    stopped.removeEventListener("abort", onEmpty);
  }
}

async function deleteIfThere(
  resource: GroupResource,
  namespace: string,
  name: string,
  objects: InstanceAccess,
): Promise<void> {
  try {
    await objects.delete(resource, namespace, name);
  } catch (error) {
    if (!hasReason(error, "NotFound")) throw error;
  }
}
