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

/** Creates what is missing and repairs what knows how, all at once. What somebody else created meanwhile is fine. */
export async function ensureObjects(
  wanted: readonly BootstrapObject[],
  { reader, writer }: { readonly reader: ObjectReader; readonly writer: ObjectWriter },
): Promise<void> {
  const ensure = async ({ resource, object, as, status, repair }: BootstrapObject): Promise<void> => {
    const { namespace = "", name = "" } = object.metadata;
    const stored = await reader.get(resource, namespace, name);
    if (stored !== undefined) {
      const repaired = repair?.(stored) ?? stored;
      if (repaired !== stored) await writer.update(resource, repaired, "", as);
      return;
    }
    try {
      const created = await writer.create(resource, object, as);
      if (status !== undefined)
        await writer.update(resource, { ...created, status: status.value }, "status", status.as);
    } catch (error) {
      if (!hasReason(error, "AlreadyExists")) throw error;
    }
  };
  await Promise.all(wanted.map(ensure));
}
