import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { encodeStoredJson } from "../../runtime/store/value/stored-json.ts";

/** Size in bytes of the data of one ConfigMap. */
const DATA_BYTES = 20_000;
const CONTENT = "0123456789abcdef".repeat(DATA_BYTES / 16);
/** Objects per commit. */
const BATCH = 1000;

export const NAMESPACES = 100;

export function objectsIn(bytes: number): number {
  return Math.floor(bytes / DATA_BYTES);
}

/** Writes ConfigMaps of 20 KB in 100 namespaces directly to the store in a directory. Returns the duration in seconds. */
export async function fillDataFile(directory: string, bytes: number): Promise<number> {
  const began = performance.now();
  const objects = objectsIn(bytes);
  const store = await openEmbeddedStore(directory);
  for (let start = 0; start < objects; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, objects - start) }, (_, offset) => start + offset);
    await Promise.all(batch.map((index) => store.put(keyOf(index), configMap(index), { expected: 0 })));
  }
  await store.close();
  return (performance.now() - began) / 1000;
}

export function namespaceOf(index: number): string {
  return `large-${index % NAMESPACES}`;
}

export function nameOf(index: number): string {
  return `object-${String(index).padStart(8, "0")}`;
}

function keyOf(index: number): string {
  return `/registry/configmaps/${namespaceOf(index)}/${nameOf(index)}`;
}

function configMap(index: number): Uint8Array {
  const [name, namespace] = [nameOf(index), namespaceOf(index)];
  const metadata = {
    name,
    namespace,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    creationTimestamp: "2025-01-01T00:00:00Z",
    labels: { app: `app-${index % 500}`, tier: index % 1000 === 0 ? "rare" : "rest" },
    managedFields: [
      {
        manager: "bench",
        operation: "Update",
        apiVersion: "v1",
        time: "2025-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:content": {}, "f:number": {} } },
      },
    ],
  };
  const data = { number: String(index), content: CONTENT };
  return encodeStoredJson(
    { kind: "ConfigMap", apiVersion: "v1", metadata, data },
    { fields: { "metadata.name": name, "metadata.namespace": namespace } },
  );
}
