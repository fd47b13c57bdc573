import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource, ObjectReader, ObjectWriter, WriteAs } from "../../contract/object-access.ts";
import { hasReason } from "../../contract/status.ts";

/** An object every cluster has from its first start on. */
export interface BootstrapObject {
  readonly resource: GroupResource;
  readonly object: ApiObject;
  readonly as?: WriteAs;
  /** What its status says, written after it and under another name. */
  readonly status?: { readonly value: unknown; readonly as?: WriteAs };
  /** Brings a stored object up to date; returns the same object if there is nothing to do. */
  readonly repair?: (stored: ApiObject) => ApiObject;
}

export interface EnsureParts {
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly delay?: (milliseconds: number) => Promise<void>;
}

/** Servers that start together are in each other's way for a moment: what an object needs may be taken, but not the object. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;

/** Creates what is missing and repairs what knows how, all at once. What somebody else created meanwhile is fine. */
export async function ensureObjects(wanted: readonly BootstrapObject[], parts: EnsureParts): Promise<void> {
  const ensurePatiently = async (object: BootstrapObject): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await ensure(object, parts);
        return;
      } catch (error) {
        if (hasReason(error, "AlreadyExists")) return;
        if (attempt === ATTEMPTS || !(hasReason(error, "Invalid") || hasReason(error, "Conflict"))) throw error;
        await parts.delay?.(attempt * PAUSE_MS);
      }
    }
  };
  await Promise.all(wanted.map(ensurePatiently));
}

async function ensure(
  { resource, object, as, status, repair }: BootstrapObject,
  { reader, writer }: EnsureParts,
): Promise<void> {
  const { namespace = "", name = "" } = object.metadata;
  const stored = await reader.get(resource, namespace, name);
  if (stored !== undefined) {
    const repaired = repair?.(stored) ?? stored;
    if (repaired !== stored) await writer.update(resource, repaired, "", as);
    return;
  }
  const created = await writer.create(resource, object, as);
  if (status !== undefined) await writer.update(resource, { ...created, status: status.value }, "status", status.as);
}
