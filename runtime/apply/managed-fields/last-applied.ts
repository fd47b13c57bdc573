import type { MergeType } from "../../contract/merge-schema.ts";
import { goJson } from "../../go/json.ts";
import { getObject, getString, isJsonObject, type JsonObject, withOwn, withoutOwn } from "../../lib/json-object.ts";
import type { FieldSet } from "../fieldpath/field-set.ts";
import { compare } from "../typed/compare.ts";
import { toFieldSet } from "../typed/to-field-set.ts";
import { validate } from "../typed/validate.ts";

/** Annotation in which kubectl's client-side apply stores the configuration that it applied last. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The only manager that can switch between client-side and server-side apply without `force`. */
export const KUBECTL = "kubectl";

const MAX_ANNOTATION_BYTES = 256 * 1024;

/**
 * Returns the fields that client-side apply set and whose values are unchanged since. The same user can take ownership of them by server-side
 * apply without a conflict. Undefined if there is no usable annotation.
 */
export function fieldsLastApplied(type: MergeType, live: JsonObject, apiVersion: string): FieldSet | undefined {
  const text = lastAppliedOf(live);
  const applied = text === "" ? undefined : parseObject(text);
  if (applied === undefined || getString(applied, "apiVersion") !== apiVersion) return undefined;
  if (validate(type, applied).length > 0) return undefined;
  const { added, modified, removed } = compare(type, applied, live);
  return toFieldSet(type, applied).difference(modified).difference(added).difference(removed);
}

/** Updates an existing annotation to the applied configuration, so that client-side apply works again later. */
export function syncLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastAppliedOf(object) === "") return object;
  const metadata = getObject(object, "metadata") ?? {};
  const annotations = getObject(metadata, "annotations") ?? {};
  const synced = withOwn(annotations, LAST_APPLIED, encodeConfig(config));
  const kept = sizeOf(synced) > MAX_ANNOTATION_BYTES ? withoutOwn(annotations, LAST_APPLIED) : synced;
  return withOwn(object, "metadata", withOwn(metadata, "annotations", kept));
}

/** Prints a configuration as client-side apply does: without the annotation itself, keys in order, with a line feed. */
function encodeConfig(config: JsonObject): string {
  const metadata = getObject(config, "metadata");
  const annotations = getObject(metadata, "annotations");
  if (metadata === undefined || annotations === undefined) return `${goJson(config)}\n`;
  const bare = withOwn(metadata, "annotations", withoutOwn(annotations, LAST_APPLIED));
  return `${goJson(withOwn(config, "metadata", bare))}\n`;
}

function lastAppliedOf(object: JsonObject): string {
  return getString(getObject(getObject(object, "metadata"), "annotations"), LAST_APPLIED);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sizeOf(annotations: JsonObject): number {
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(getString(annotations, key));
  }
  return bytes;
}
