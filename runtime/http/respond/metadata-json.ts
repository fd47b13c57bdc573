import type { ApiObject } from "../../contract/api-object.ts";
import { parseOwnJson } from "../../encoding/json/parse-own-json.ts";
import { findMember, type MemberSpan } from "../../encoding/json/parse-stored-object.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import type { BodyWriter } from "./chunk-writer.ts";
import { asBuffer, jsonOf, servedOnce } from "./encode-object.ts";
import type { RowObject } from "./row-object.ts";
import { partialMetadata } from "./table.ts";

const METADATA = Buffer.from('"metadata"');
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPAN_BYTES = 64;

/** Writes objects reduced to their metadata as JSON, which is cut out of the cached JSON of the whole object. */
export class MetadataJson {
  readonly #resource: ServedResource;
  readonly #metaApiVersion: string;
  readonly #opening: string;
  readonly #memoName: string;
  readonly #read: (cached: CachedObject) => Pick<ApiObject, "metadata">;
  readonly #reorderedName: string;

  constructor(resource: ServedResource, metaApiVersion: string) {
    this.#resource = resource;
    this.#metaApiVersion = metaApiVersion;
    this.#opening = `{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(metaApiVersion)},`;
    this.#memoName = memoName(resource);
    this.#read = metadataReader(resource);
    this.#reorderedName = `${resource.apiVersion} ${metaApiVersion} reordered metadata`;
  }

  /** `row` is the same object; its converted form is reused. */
  write(object: CachedObject, out: BodyWriter, row?: RowObject): void {
    if (this.#resource.hooks.compatibility?.versionAnnotations !== undefined) {
      out.text(this.#textOf(row?.served ?? this.#read(object)));
      return;
    }
    const json = jsonOf(object, this.#resource, row);
    if (this.#resource.descriptor.custom !== undefined) {
      // Members of custom objects are sorted, but those of PartialObjectMetadata are in the order of its type.
      const reordered = () => Buffer.from(this.#textOf(parseOwnJson(cutMetadata(json)) as ApiObject));
      out.bytes(asBuffer(object.encoding(this.#reorderedName, reordered)));
      return;
    }
    const { key: start, end } = spanOf(object, json, this.#memoName);
    out.text(this.#opening);
    out.bytes(json, start, end);
    out.byte(CLOSE);
  }

  #textOf(served: Pick<ApiObject, "metadata">): string {
    return stringifyJson(partialMetadata(served, this.#metaApiVersion, this.#resource));
  }
}

const memoName = ({ apiVersion }: ServedResource): string => `${apiVersion} metadata`;

/** The position of metadata in the cached JSON of an object. Searched for once. */
function spanOf(object: CachedObject, json: Buffer, name: string): MemberSpan {
  return object.remember(
    name,
    () => metadataIn(json),
    () => SPAN_BYTES,
  );
}

/** Finds the member. In built-in kinds it comes third; in custom ones, any members may precede it. */
function metadataIn(json: Buffer): MemberSpan {
  const span = findMember(json, 0, METADATA);
  if (span === undefined) throw new Error("an object without metadata");
  return span;
}

/** Returns `{"metadata":{…}}` from the JSON of an object. */
export function cutMetadata(json: Buffer): Buffer {
  const { key: start, end } = metadataIn(json);
  const cut = Buffer.allocUnsafe(end - start + 2);
  cut[0] = OPEN;
  json.copy(cut, 1, start, end);
  cut[cut.length - 1] = CLOSE;
  return cut;
}

/** Returns how many bytes of JSON must be parsed for the metadata of an object: all bytes if the object must be converted. */
export function metadataSizer(resource: ServedResource): (cached: CachedObject) => number {
  const name = memoName(resource);
  return (cached) => {
    if (!resource.isStoredVersion) return cached.size;
    const { start, end } = spanOf(cached, cached.json, name);
    return end - start;
  };
}

/** Reads objects of which only the metadata is used. If no conversion is needed, the rest is not parsed. */
export function metadataReader(resource: ServedResource): (cached: CachedObject) => Pick<ApiObject, "metadata"> {
  return (cached) =>
    resource.isStoredVersion && !cached.isParsed
      ? (parseOwnJson(cutMetadata(cached.jsonOnce)) as ApiObject)
      : servedOnce(cached, resource);
}
