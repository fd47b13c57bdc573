import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource, ObjectReader, ObjectWriter, WriteAs } from "../../contract/object-access.ts";
import { hasReason } from "../../contract/status.ts";
import type { CreatePrepared } from "./prepared-of-server.ts";

/** An object that every cluster contains from its first start. */
export interface BootstrapObject {
  readonly resource: GroupResource;
  readonly object: ApiObject;
  readonly as?: WriteAs;
  /** The status, written after the object, possibly by a different field manager. */
  readonly status?: { readonly value: unknown; readonly as?: WriteAs };
  /** Returns the updated version of a stored object, or the same object if no update is needed. */
  readonly repair?: (stored: ApiObject) => ApiObject;
}

export interface EnsureParts {
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  /** Tried before objects are created by the writer. */
  readonly createPrepared?: CreatePrepared | undefined;
  readonly delay?: (milliseconds: number) => Promise<void>;
}

/** Retries for servers that start at the same time: another one may hold an address or port before it has stored the object. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;

/** Creates missing objects and updates those with `repair`, in parallel. Ignores objects that another server creates first. */
export async function ensureObjects(wanted: readonly BootstrapObject[], parts: EnsureParts): Promise<void> {
  const ensurePatiently = async (object: BootstrapObject): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await ensure(object, parts);
        return;
      } catch (error) {
        if (hasReason(error, "AlreadyExists")) return;
        if (attempt === ATTEMPTS || !hasReason(error, "Invalid", "Conflict")) throw error;
        await parts.delay?.(attempt * PAUSE_MS);
      }
    }
  };
  await Promise.all(wanted.map(ensurePatiently));
}

async function ensure(
  { resource, object, as, status, repair }: BootstrapObject,
  { reader, writer, createPrepared }: EnsureParts,
): Promise<void> {
  const { namespace = "", name = "" } = object.metadata;
  const stored = await reader.get(resource, namespace, name);
  if (stored !== undefined) {
    const repaired = repair?.(stored) ?? stored;
    if (repaired !== stored) await writer.update(resource, repaired, "", as);
    return;
  }
  if (await createPrepared?.(resource, object)) return;
  const created = await writer.create(resource, object, as);
  if (status !== undefined) await writer.update(resource, { ...created, status: status.value }, "status", status.as);
}
