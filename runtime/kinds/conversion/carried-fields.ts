import { createHash } from "node:crypto";
import type { ApiObject } from "../../contract/api-object.ts";
import type { ApiCatalogue } from "../../contract/resource-descriptor.ts";
import { parseOwnJson } from "../../encoding/json/parse-own-json.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { isJsonObject, type JsonObject, setOwn } from "../../lib/json-object.ts";

/** A field that the other version cannot represent. Lists are carried as a whole. */
export interface CarriedField {
  readonly path: readonly string[];
  /** Value of the field. Absent if the field was unset. */
  readonly value?: unknown;
  /** Digest of the field after a round trip through the other version. Absent if the round trip leaves the field unset. */
  readonly seen?: string;
}

type Draft = { [key: string]: unknown };

/**
 * Returns the fields in which `wanted` differs from `made`, the result of its round trip through the other version. Ignores metadata, which
 * all versions share, and the order of the lists in `unordered` (dotted paths).
 */
export function differences(wanted: ApiObject, made: ApiObject, unordered: ReadonlySet<string>): CarriedField[] {
  const all: CarriedField[] = [];
  const keys = new Set([...Object.keys(wanted), ...Object.keys(made)]);
  for (const key of keys) {
    if (key === "metadata" || key === "kind" || key === "apiVersion") continue;
    compare(own(wanted, key), own(made, key), [key], all);
  }
  if (unordered.size === 0) return all;
  return all.filter(({ path, seen, value }) => !(unordered.has(path.join(".")) && sameItems(value, seen, made, path)));
}

function sameItems(value: unknown, seen: string | undefined, made: ApiObject, path: readonly string[]): boolean {
  if (seen === undefined || !Array.isArray(value)) return false;
  const other = path.reduce<unknown>((part, step) => (isJsonObject(part) ? own(part, step) : undefined), made);
  if (!Array.isArray(other)) return false;
  const digests = other.map(digest).sort();
  return equalJson(value.map(digest).sort(), digests);
}

function compare(wanted: unknown, made: unknown, path: readonly string[], found: CarriedField[]): void {
  if (isJsonObject(wanted) && isJsonObject(made)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(made)]);
    for (const key of keys) compare(own(wanted, key), own(made, key), [...path, key], found);
    return;
  }
  if (equalJson(wanted, made)) return;
  found.push({
    path,
    ...(wanted !== undefined && { value: wanted }),
    ...(made !== undefined && { seen: digest(made) }),
  });
}

/** Restores carried fields in place, except fields that were changed since they were carried. */
export function restore(object: ApiObject, fields: readonly CarriedField[]): void {
  for (const { path, value, seen } of fields) {
    const last = path.at(-1);
    if (last === undefined || path[0] === "metadata") continue;
    const parent = parentOf(object, path, value !== undefined);
    if (parent === undefined) continue;
    const current = own(parent, last);
    if ((current === undefined ? undefined : digest(current)) !== seen) continue;
    if (value === undefined) delete (parent as Draft)[last];
    else setOwn(parent as Draft, last, value);
  }
}

function parentOf(object: object, path: readonly string[], make: boolean): object | undefined {
  let parent: object = object;
  for (const step of path.slice(0, -1)) {
    const next = own(parent, step);
    if (isJsonObject(next)) {
      parent = next;
    } else if (make && next === undefined) {
      const made: Draft = {};
      setOwn(parent as Draft, step, made);
      parent = made;
    } else {
      return undefined;
    }
  }
  return parent;
}

/** Domains from which names of the annotation are derived: the project's domain, and one that stored objects may still use. */
export interface CarriedDomains {
  readonly domain: string;
  readonly formerDomain?: string;
}

export function carriedDomains({ domain, project }: Pick<ApiCatalogue, "domain" | "project">): CarriedDomains {
  return { domain: project?.domain ?? domain, formerDomain: domain };
}

/** Names of the annotation. The first one is used for writing. */
export function carriedAnnotations({ domain, formerDomain = domain }: CarriedDomains): string[] {
  return [...new Set([domain, formerDomain])].map((one) => `conversion.${one}/carried`);
}

/**
 * The annotation that holds carried fields, grouped by the apiVersion they belong to. An object may carry fields of several versions;
 * conversion to a version restores the fields of that version.
 */
export class CarryAnnotation {
  readonly #key: string;
  /** All names of the annotation that are read, the current one first. */
  readonly #keys: readonly string[];

  constructor(domains: CarriedDomains) {
    this.#keys = carriedAnnotations(domains);
    this.#key = this.#keys[0] as string;
  }

  /** Removes and returns the carried fields of a version. An invalid annotation counts as empty. */
  take(object: ApiObject, apiVersion: string): CarriedField[] {
    const entries = this.#read(object);
    const fields = entries?.[apiVersion];
    if (fields === undefined) return [];
    const { [apiVersion]: _taken, ...rest } = entries as Record<string, CarriedField[]>;
    this.#write(object, rest);
    return fields;
  }

  put(object: ApiObject, apiVersion: string, fields: readonly CarriedField[]): void {
    this.#write(object, { ...this.#read(object), [apiVersion]: [...fields] });
  }

  /** Drops the carried entries of fields that were unset in a version. Manifests do not need them. */
  forgetAbsences(object: ApiObject, apiVersion: string): void {
    const entries = this.#read(object);
    const fields = entries?.[apiVersion];
    if (entries === undefined || fields === undefined) return;
    const { [apiVersion]: _former, ...others } = entries;
    const told = fields.filter(({ value }) => value !== undefined);
    this.#write(object, told.length === 0 ? others : { ...others, [apiVersion]: told });
  }

  #read(object: ApiObject): Record<string, CarriedField[]> | undefined {
    const annotations = object.metadata?.annotations;
    if (annotations === undefined) return undefined;
    const key = this.#keys.find((one) => annotations[one] !== undefined);
    const text = key === undefined ? undefined : annotations[key];
    if (text === undefined) return undefined;
    try {
      const value = parseOwnJson(Buffer.from(text));
      if (!isJsonObject(value)) return undefined;
      const entries: Record<string, CarriedField[]> = {};
      for (const [version, fields] of Object.entries(value)) if (isCarried(fields)) entries[version] = fields;
      return entries;
    } catch {
      return undefined;
    }
  }

  /** Replaces metadata and annotations by copies, because metadata may be shared with the object that was converted. */
  #write(object: ApiObject, entries: Record<string, CarriedField[]>): void {
    const others = { ...object.metadata?.annotations };
    for (const key of this.#keys) delete others[key];
    const sorted = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
    const annotations =
      sorted.length === 0 ? others : { ...others, [this.#key]: stringifyJson(Object.fromEntries(sorted)) };
    const { annotations: _annotations, ...metadata } = object.metadata ?? {};
    object.metadata = { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) };
  }
}

function isCarried(value: unknown): value is CarriedField[] {
  return (
    Array.isArray(value) &&
    value.every(
      (field) =>
        isJsonObject(field) && Array.isArray(field.path) && field.path.every((step) => typeof step === "string"),
    )
  );
}

function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined;
}

function digest(value: unknown): string {
  return createHash("sha256")
    .update(stringifyJson(sortKeys(value)))
    .digest("base64url")
    .slice(0, 16);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Draft = {};
  for (const key of Object.keys(value).sort()) setOwn(sorted, key, sortKeys(value[key]));
  return sorted;
}
