import type { ApiObject } from "../contract/api-object.ts";
import { Pacer } from "../lib/pacer.ts";
import type { ServedResource } from "../resource/served-resource.ts";
import type { ListResult } from "../watch/requests.ts";
import { type EncodingContext, jsonOf, messageOf, servedOnce } from "./encode-object.ts";
import { MetadataJson } from "./metadata-json.ts";
import type { Representation } from "./negotiate.ts";
import { RowJson } from "./row-json.ts";
import type { Piece } from "./send.ts";
import { type IncludeObject, partialMetadata, tableRow, tableShape } from "./table.ts";

/** A list as pieces of bytes, to be sent one after the other. */
export interface ListPieces {
  readonly pieces: Iterable<Piece>;
  /** Their length, as far as it is known before they are made; enough to decide about compression. */
  readonly size: number;
}

export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Lists of custom kinds always say how they go on; those of objects nobody stores are of no revision. */
export function listMeta(list: ListResult, isCustom = false): ListMeta {
  return {
    ...(list.resourceVersion > 0 && { resourceVersion: String(list.resourceVersion) }),
    ...((list.continue || isCustom) && { continue: list.continue ?? "" }),
    ...(list.remainingItemCount !== undefined && { remainingItemCount: list.remainingItemCount }),
  };
}

/** Lays a list out in the representation asked for. */
export async function listPieces(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Promise<ListPieces> {
  const { transform, format, pretty } = representation;
  if (transform === undefined && format === "json" && !pretty) {
    return joinJson(list, resource, context);
  }
  if (transform === undefined && format === "protobuf") {
    return joinProtobuf(list, resource, context);
  }
  if (transform !== undefined && format === "json" && !pretty) {
    return transformJson(list, resource, representation, include, context);
  }
  const bytes = encodeWhole(list, resource, representation, include, context);
  return { pieces: [bytes], size: bytes.length };
}

const BRACE_LENGTH = 1;

/** Kept bytes, joined. Items of a list do not repeat kind and apiVersion, which come first in the bytes; custom ones do. */
function joinJson(list: ListResult, resource: ServedResource, context: EncodingContext): ListPieces {
  const { descriptor, apiVersion } = resource;
  const isCustom = descriptor.custom !== undefined;
  const metadata = listMeta(list, isCustom);
  const head = Buffer.from(
    `${context.codecs.stringifyJson({ kind: descriptor.listKind, apiVersion, metadata }).slice(0, -1)},"items":[`,
  );
  const skipped = isCustom
    ? BRACE_LENGTH
    : Buffer.byteLength(`{"kind":${JSON.stringify(descriptor.kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
  const { items } = list;
  let size = head.length + 3;
  for (const item of items) {
    size += item.json.length;
  }
  function* pieces(): Generator<Piece> {
    yield head;
    let opening = "{";
    for (const item of items) {
      yield opening;
      yield jsonOf(item, resource, context).subarray(skipped);
      opening = ",{";
    }
    yield "]}\n";
  }
  return { pieces: pieces(), size };
}

/**
 * `List { metadata = 1; repeated items = 2 }` inside the envelope, from kept messages. The envelope begins with the
 * length of everything, so the messages are all made first.
 */
async function joinProtobuf(
  list: ListResult,
  resource: ServedResource,
  { schemas, codecs }: EncodingContext,
): Promise<ListPieces> {
  const meta = schemas.of("meta/v1.ListMeta").encodeProtobuf({ ...listMeta(list) });
  const parts: Uint8Array[] = [lengthPrefix(0x0a, meta.length), meta];
  let rawLength = parts[0]!.length + meta.length;
  const pacer = new Pacer();
  for (const item of list.items) {
    const message = messageOf(item, resource);
    const prefix = lengthPrefix(0x12, message.length);
    parts.push(prefix, message);
    rawLength += prefix.length + message.length;
    if (pacer.isDue()) {
      await pacer.rest();
    }
  }
  const { head, tail } = codecs.envelopeAround(resource.apiVersion, resource.descriptor.listKind, rawLength);
  return { pieces: [head, ...parts, tail], size: head.length + rawLength + tail.length };
}

/** The tag of a length-delimited field and its length. */
export function lengthPrefix(tag: number, length: number): Uint8Array {
  const bytes = [tag];
  let rest = length;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function metaApiVersion(representation: Representation, context: EncodingContext): string {
  return `${context.types.metaGroup}/${representation.transform?.version ?? "v1"}`;
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
    const object = servedOnce(item, resource);
    yield representation.transform?.kind === "Table"
      ? tableRow(resource, object, { metaApiVersion: apiVersion, include, now: context.now })
      : partialMetadata(object, apiVersion);
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
): ListPieces {
  const { stringifyJson } = context.codecs;
  const transform = representation.transform?.kind;
  const field = transform === "Table" ? "rows" : "items";
  const metadata = new MetadataJson(resource, metaApiVersion(representation, context), context);
  const rows = new RowJson(resource, include, metadata, context);
  function* pieces(): Generator<Piece> {
    const head = stringifyJson(transformHead(list, resource, representation, context));
    yield `${head.slice(0, -1)},"${field}":[`;
    let separator = "";
    for (const item of list.items) {
      yield separator;
      yield* transform === "Table" ? rows.pieces(item) : metadata.pieces(item);
      separator = ",";
    }
    yield "]}\n";
  }
  return { pieces: pieces(), size: list.items.length * 1024 };
}

function encodeWhole(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
): Uint8Array {
  const { codecs } = context;
  const value = wholeList(list, resource, representation, include, context);
  switch (representation.format) {
    case "yaml":
      return Buffer.from(codecs.stringifyYaml(value));
    case "cbor":
      return codecs.encodeCbor(value);
    case "json":
      return Buffer.from(`${codecs.stringifyJson(value, representation.pretty)}\n`);
    case "protobuf": {
      const schema = context.schemas.of("meta/v1.PartialObjectMetadataList");
      return codecs.encodeEnvelope(String(value.apiVersion), String(value.kind), schema.encodeProtobuf(value));
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
    return {
      ...transformHead(list, resource, representation, context),
      [field]: [...transformedItems(list, resource, representation, include, context)],
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
