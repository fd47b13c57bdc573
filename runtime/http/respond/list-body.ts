import type { ApiObject } from "../../contract/api-object.ts";
import { encodeCbor } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope, envelopeAround } from "../../encoding/protobuf/envelope.ts";
import { stringifyYaml } from "../../encoding/yaml/stringify-yaml.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { ListResult } from "../../watch/requests.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import { asBuffer, type EncodingContext, encodeJson, jsonOf, messageOf, servedOnce } from "./encode-object.ts";
import { prefixedLength, writeLengthPrefix } from "./length-prefix.ts";
import { MetadataJson } from "./metadata-json.ts";
import { Pacer } from "./pacer.ts";
import { RowJson } from "./row-json.ts";
import { RowObject } from "./row-object.ts";
import type { Body } from "./send-body.ts";
import { hasDefaultTable, type IncludeObject, partialMetadata, tableRow, tableShape } from "./table.ts";

export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Lists of custom kinds always have `continue`; lists of objects that are not stored have no resourceVersion. */
function listMeta(list: ListResult, isCustom = false): ListMeta {
  return {
    ...(list.resourceVersion > 0 && { resourceVersion: String(list.resourceVersion) }),
    ...((list.continue || isCustom) && { continue: list.continue ?? "" }),
    ...(list.remainingItemCount !== undefined && { remainingItemCount: list.remainingItemCount }),
  };
}

const OPEN_BRACE = "{";
const NEXT_BRACE = ",{";
const END = "]}\n";
/** Fields of a list in protobuf, as tags of what has a length. */
const LIST_METADATA = 0x0a;
const LIST_ITEM = 0x12;

/** One chunk is being sent, the next is made. */
const CHUNKS_AHEAD = 2;

/**
 * About how much memory a list takes until it is sent, besides the cached objects, which are shared. Known before anything is
 * encoded: JSON is written chunk by chunk, the other formats are made as a whole.
 */
export function bytesHeld(list: ListResult, { format, pretty }: Representation, chunkBytes: number): number {
  const most = format === "json" && !pretty ? CHUNKS_AHEAD * chunkBytes : Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const { json } of list.items) {
    bytes += json.length;
    if (bytes >= most) return most;
  }
  return bytes;
}

/** Encodes a list in the negotiated representation. */
export async function listBody(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Promise<Body> {
  const { transform, format, pretty } = representation;
  if (transform === undefined && format === "json" && !pretty) {
    return joinJson(list, resource, context);
  }
  if (transform === undefined && format === "protobuf") {
    return joinProtobuf(list, resource, context);
  }
  if (transform !== undefined && format === "json" && !pretty && !saysNull(list, resource, representation)) {
    return transformJson(list, resource, representation, include, context);
  }
  const bytes = encodeWhole(list, resource, representation, include, context);
  return wholeBody(bytes);
}

/** Bytes that are all there. */
function wholeBody(bytes: Buffer): Body {
  return {
    size: bytes.length,
    *write(out) {
      out.bytes(bytes);
      yield;
    },
  };
}

/** Kept bytes, joined. Items of a list do not repeat kind and apiVersion, which come first in the bytes; custom ones do. */
function joinJson(list: ListResult, resource: ServedResource, _context: EncodingContext): Body {
  const { descriptor, apiVersion } = resource;
  const isCustom = descriptor.custom !== undefined;
  const metadata = listMeta(list, isCustom);
  const head = `${stringifyJson({ kind: descriptor.listKind, apiVersion, metadata }).slice(0, -1)},"items":[`;
  const skipped = isCustom
    ? OPEN_BRACE.length
    : Buffer.byteLength(`{"kind":${JSON.stringify(descriptor.kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
  const { items } = list;
  let size = head.length + END.length;
  for (const item of items) {
    size += item.json.length;
  }
  return {
    size,
    *write(out) {
      out.text(head);
      let opening = OPEN_BRACE;
      for (const item of items) {
        out.text(opening);
        out.bytes(jsonOf(item, resource), skipped);
        opening = NEXT_BRACE;
        yield;
      }
      out.text(END);
    },
  };
}

/**
 * `List { metadata = 1; repeated items = 2 }` inside the envelope, from kept messages. The envelope begins with the
 * length of everything, so the messages are all made first.
 */
async function joinProtobuf(list: ListResult, resource: ServedResource, { schemas }: EncodingContext): Promise<Body> {
  const meta = asBuffer(schemas.of("meta/v1.ListMeta").encodeProtobuf({ ...listMeta(list) }));
  let rawLength = prefixedLength(meta.length);
  const messages: Buffer[] = [];
  const pacer = new Pacer();
  for (const item of list.items) {
    const message = messageOf(item, resource);
    messages.push(message);
    rawLength += prefixedLength(message.length);
    if (pacer.isDue()) {
      await pacer.rest();
    }
  }
  const { head, tail } = envelopeAround({
    apiVersion: resource.apiVersion,
    kind: resource.descriptor.listKind,
    rawLength,
  });
  return {
    size: head.length + rawLength + tail.length,
    *write(out) {
      out.bytes(asBuffer(head));
      writeLengthPrefix(LIST_METADATA, meta.length, out);
      out.bytes(meta);
      for (const message of messages) {
        writeLengthPrefix(LIST_ITEM, message.length, out);
        out.bytes(message);
        yield;
      }
      out.bytes(asBuffer(tail));
    },
  };
}

function metaApiVersion(representation: Representation, context: EncodingContext): string {
  return `${context.types.metaGroup}/${representation.transform?.version ?? "v1"}`;
}

/** Empty lists of metadata, and the default table, have `null` for their items, as in Kubernetes. */
function saysNull(list: ListResult, resource: ServedResource, { transform }: Representation): boolean {
  if (list.items.length > 0 || transform === undefined) return false;
  return transform.kind !== "Table" || hasDefaultTable(resource);
}

function* transformedItems(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Generator<unknown> {
  const apiVersion = metaApiVersion(representation, context);
  for (const item of list.items) {
    yield representation.transform?.kind === "Table"
      ? tableRow(resource, RowObject.ofCached(resource, item), {
          metaApiVersion: apiVersion,
          include,
          now: context.now,
        })
      : partialMetadata(servedOnce(item, resource), apiVersion, resource);
  }
}

function transformHead(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  context: EncodingContext,
): Record<string, unknown> {
  const isTable = representation.transform?.kind === "Table";
  return {
    kind: isTable ? "Table" : "PartialObjectMetadataList",
    apiVersion: metaApiVersion(representation, context),
    metadata: listMeta(list),
    ...(isTable && { columnDefinitions: tableShape(resource).columnDefinitions }),
  };
}

function transformJson(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Body {
  const transform = representation.transform?.kind;
  const field = transform === "Table" ? "rows" : "items";
  const metadata = new MetadataJson(resource, metaApiVersion(representation, context));
  const rows = new RowJson(resource, include, metadata, context.now());
  const head = stringifyJson(transformHead(list, resource, representation, context));
  return {
    size: list.items.length * 1024,
    *write(out) {
      out.text(`${head.slice(0, -1)},"${field}":[`);
      let separator = "";
      for (const item of list.items) {
        out.text(separator);
        if (transform === "Table") rows.write(item, out);
        else metadata.write(item, out);
        separator = ",";
        yield;
      }
      out.text(END);
    },
  };
}

function encodeWhole(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Buffer {
  const value = wholeList(list, resource, representation, include, context);
  switch (representation.format) {
    case "yaml":
      return Buffer.from(stringifyYaml(value));
    case "cbor":
      return asBuffer(encodeCbor(value));
    case "json":
      return encodeJson(value, representation.pretty);
    case "protobuf": {
      // The versions number the fields of the list differently.
      const version = representation.transform?.version ?? "v1";
      const schema = context.schemas.of(`meta/${version}.PartialObjectMetadataList`);
      return asBuffer(
        encodeEnvelope({
          apiVersion: String(value.apiVersion),
          kind: String(value.kind),
          raw: schema.encodeProtobuf(value),
        }),
      );
    }
  }
}

function wholeList(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Record<string, unknown> {
  if (representation.transform !== undefined) {
    const field = representation.transform.kind === "Table" ? "rows" : "items";
    const items = [...transformedItems(list, resource, representation, include, context)];
    return {
      ...transformHead(list, resource, representation, context),
      [field]: saysNull(list, resource, representation) ? null : items,
    };
  }
  const { descriptor, apiVersion } = resource;
  if (descriptor.custom !== undefined) {
    const items = list.items.map((item) => servedOnce(item, resource));
    return { kind: descriptor.listKind, apiVersion, metadata: listMeta(list, true), items };
  }
  const items = list.items.map((item) => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = servedOnce(item, resource);
    return rest as ApiObject;
  });
  return { kind: descriptor.listKind, apiVersion, metadata: listMeta(list), items };
}
