import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { parseStoredObject } from "../encoding/json/parse-stored-object.ts";
import { decodeEnvelope, isEnvelope } from "../encoding/protobuf/envelope.ts";
import type { Log } from "../lib/log.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { CasFailedError } from "../store/errors.ts";
import type { Store, StoreEntry } from "../store/store.ts";
import { storedJsonText } from "../store/value/stored-json.ts";
import { isKeyedByGroup, registryPrefix } from "./registry-key.ts";

export interface UngroupedKeysParts {
  readonly store: Store;
  readonly keyRoot: string;
  readonly transformerFor: (group: string, resource: string) => ValueTransformer | undefined;
  readonly log: Log;
}

type Storage = ResourceDescriptor["storage"];

const PAGE = 500;

/**
 * Moves objects of the project's own kinds from the old keys `/registry/<resource>/` to `/registry/<group>/<resource>/`. Under the old keys,
 * kinds of different groups with the same plural overwrote each other. Must run before anything reads the new keys. Each object is written
 * to its new key before the old key is deleted, so the next run completes one that was interrupted.
 */
export async function moveUngroupedKeys(
  resources: readonly ResourceDescriptor[],
  parts: UngroupedKeysParts,
): Promise<void> {
  const grouped = resources.map(({ storage }) => storage).filter(isKeyedByGroup);
  const kinds = new Map(grouped.map((storage) => [storage.type, storage]));
  for (const storage of kinds.values()) {
    const moved = await moveKind(storage, parts);
    if (moved > 0) {
      const { group, resource } = storage;
      parts.log("info", `moved ${moved} stored objects of ${resource}.${group} to keys that contain the group`);
    }
  }
}

async function moveKind(storage: Storage, parts: UngroupedKeysParts): Promise<number> {
  const { store, keyRoot } = parts;
  const from = `${keyRoot}/${storage.resource}/`;
  const to = registryPrefix(keyRoot, storage);
  const transformer = parts.transformerFor(storage.group, storage.resource);
  let moved = 0;
  let startAfter: string | undefined;
  for (;;) {
    const { entries, more } = await store.range({ prefix: from, limit: PAGE, ...(startAfter && { startAfter }) });
    for (const entry of entries) {
      const value = openedValue(entry, transformer);
      if (value === undefined || groupOf(value) !== storage.group) continue;
      const key = to + entry.key.slice(from.length);
      const sealed = transformer === undefined ? value : transformer.seal(key, value);
      await moveEntry(store, entry, key, sealed);
      moved += 1;
    }
    startAfter = entries.at(-1)?.key;
    if (!more || startAfter === undefined) return moved;
  }
}

/** Moves one entry. If the new key exists, its object was already moved or was created again since: that object is kept. */
async function moveEntry(
  store: Store,
  { key: old, modRevision }: StoreEntry,
  key: string,
  value: Uint8Array,
): Promise<void> {
  try {
    await store.put(key, value, { expected: 0 });
  } catch (error) {
    if (!(error instanceof CasFailedError)) throw error;
  }
  try {
    await store.delete(old, { expected: modRevision });
  } catch (error) {
    if (!(error instanceof CasFailedError)) throw error;
  }
}

/** Decrypts a value. Returns undefined if that fails: the value belongs to another kind, which is encrypted with other keys. */
function openedValue({ key, value }: StoreEntry, transformer: ValueTransformer | undefined): Uint8Array | undefined {
  if (transformer === undefined) return value;
  try {
    return transformer.open(key, value).value;
  } catch {
    return undefined;
  }
}

/** API group of a stored object. Undefined for values that are not objects. */
function groupOf(value: Uint8Array): string | undefined {
  try {
    const { apiVersion } = isEnvelope(value)
      ? decodeEnvelope(value)
      : (parseStoredObject(Buffer.from(storedJsonText(value) ?? value)) as { readonly apiVersion?: unknown });
    return typeof apiVersion === "string" && apiVersion.includes("/")
      ? apiVersion.slice(0, apiVersion.indexOf("/"))
      : "";
  } catch {
    return undefined;
  }
}
