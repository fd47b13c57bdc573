import type { ApiObject } from "../../contract/api-object.ts";
import { parseOwnText } from "../../encoding/json/parse-own-json.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import type { ChunkWriter } from "./chunk-writer.ts";
import { asBuffer, jsonOf, servedOnce } from "./encode-object.ts";
import type { RowObject } from "./row-object.ts";
import { partialMetadata } from "./table.ts";

const METADATA = Buffer.from('"metadata":{');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPAN_BYTES = 16;

/** Objects reduced to their metadata, as JSON: cut out of the JSON that is kept of the whole object. */
export class MetadataJson {
  readonly #resource: ServedResource;
  readonly #metaApiVersion: string;
  readonly #opening: string;
  readonly #start: number;
  readonly #memoName: string;
  readonly #reorderedName: string;

  constructor(resource: ServedResource, metaApiVersion: string) {
    const { apiVersion } = resource;
    this.#resource = resource;
    this.#metaApiVersion = metaApiVersion;
    this.#opening = `{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(metaApiVersion)},`;
    this.#start = metadataStart(resource);
    this.#memoName = `${apiVersion} metadata`;
    this.#reorderedName = `${apiVersion} ${metaApiVersion} reordered metadata`;
  }

  /** `row` is the same object, where it may be converted already. */
  write(object: CachedObject, out: ChunkWriter, row?: RowObject): void {
    if (this.#resource.hooks.compatibility?.versionAnnotations !== undefined) {
      this.#writeRead(row?.served ?? servedOnce(object, this.#resource), out);
      return;
    }
    const json = jsonOf(object, this.#resource, row);
    const end = object.remember(
      this.#memoName,
      () => endOfMetadata(json, this.#start),
      () => SPAN_BYTES,
    );
    if (end === undefined) {
      this.#writeRead(row?.served ?? servedOnce(object, this.#resource), out);
      return;
    }
    if (this.#resource.descriptor.custom !== undefined) {
      const member = json.subarray(this.#start, end);
      const bytes = asBuffer(object.encoding(this.#reorderedName, () => this.#reordered(member)));
      out.bytes(bytes, 0, bytes.length);
      return;
    }
    out.text(this.#opening);
    out.bytes(json, this.#start, end);
    out.byte(CLOSE);
  }

  /** Custom objects are sorted, what is left of them is in the order of its type. */
  #reordered(member: Buffer): Buffer {
    return Buffer.from(this.#textOf(parseOwnText(`{${member.toString("utf8")}}`) as ApiObject));
  }

  #writeRead(served: ApiObject, out: ChunkWriter): void {
    out.text(this.#textOf(served));
  }

  #textOf(served: ApiObject): string {
    return stringifyJson(partialMetadata(served, this.#metaApiVersion, this.#resource));
  }
}

/** Where metadata begins in kept JSON, which is canonical: kind and apiVersion come first, metadata next. */
function metadataStart({ descriptor, apiVersion }: ServedResource): number {
  return Buffer.byteLength(`{"kind":${JSON.stringify(descriptor.kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
}

/** Cuts `{"metadata":{}}` out of the JSON of an object; undefined where another member comes first. */
export function metadataCutter(resource: ServedResource): (json: Buffer) => Buffer | undefined {
  const start = metadataStart(resource);
  return (json) => {
    const end = endOfMetadata(json, start);
    if (end === undefined) return undefined;
    const cut = Buffer.allocUnsafe(end - start + 2);
    cut[0] = OPEN;
    json.copy(cut, 1, start, end);
    cut[cut.length - 1] = CLOSE;
    return cut;
  };
}

/** Where the value of the metadata member that begins at `start` ends; undefined when another member begins there. */
export function endOfMetadata(json: Uint8Array, start: number): number | undefined {
  const valueStart = start + METADATA.length;
  if (!METADATA.equals(json.subarray(start, valueStart))) return undefined;
  let depth = 1;
  for (let i = valueStart; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) {
      for (i++; json[i] !== QUOTE; i++) {
        if (json[i] === BACKSLASH) i++;
      }
    } else if (byte === OPEN) {
      depth++;
    } else if (byte === CLOSE && --depth === 0) {
      return i + 1;
    }
  }
  return undefined;
}
