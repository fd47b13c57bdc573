import type { ApiObject } from "../../contract/api-object.ts";
import { CasFailedError } from "../../store/errors.ts";
import type { StoredKind } from "../served-resource.ts";
import { type CustomDefinition, storageVersionOf } from "./definition/custom-definition.ts";

/**
 * Sets `status.storedVersions` of a definition to its storage version. Call it when every object is stored in that version. Resolves with the
 * versions that were removed. Changes nothing if the definition was changed after it was read.
 */
export type TrimStoredVersions = () => Promise<readonly string[]>;

/** Reads the definition of a custom kind; call it before objects are rewritten. Undefined for built-in kinds and if there is nothing to remove. */
export async function prepareTrim(definitions: StoredKind, kind: StoredKind): Promise<TrimStoredVersions | undefined> {
  const { group, resource } = kind.groupResource;
  const key = `${definitions.prefix}${resource}.${group}`;
  const live = await definitions.objects.get(key).catch(() => undefined);
  if (live === undefined) return undefined;
  const definition = live.object as CustomDefinition;
  const storage = storageVersionOf(definition)?.name;
  const stored = definition.status?.storedVersions ?? [];
  const older = stored.filter((version) => version !== storage);
  // A server may have changed the storage version after this command read the definitions.
  if (storage === undefined || storage !== kind.gvk.version || older.length === 0) return undefined;
  const trimmed: CustomDefinition = { ...definition, status: { ...definition.status, storedVersions: [storage] } };
  return async () => {
    try {
      await definitions.objects.rewrite(key, trimmed as ApiObject, live.revision);
      return older;
    } catch (error) {
      if (error instanceof CasFailedError) return [];
      throw error;
    }
  };
}
