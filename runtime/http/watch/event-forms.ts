import type { ApiObject } from "../../contract/api-object.ts";
import { encodeCbor, encodeCborSteps } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson, stringifyJsonSteps } from "../../encoding/json/stringify-json.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { LARGE_BYTES, type Steps } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import {
  type EncodingContext,
  isEncoded,
  jsonOf,
  jsonSteps,
  loadMessageEncoder,
  messageSteps,
  servedObject,
  servedSteps,
} from "../respond/encode-object.ts";
import { MetadataJson, metadataReader, metadataSizer } from "../respond/metadata-json.ts";
import { loadMetadataEncoder } from "../respond/metadata-protobuf.ts";
import { partialMetadata } from "../respond/table.ts";
import type { Pieces } from "./frame-log.ts";
import { jsonEvent, PieceWriter, protobufEvent } from "./frame-pieces.ts";

/** How the events of a watch represent objects. Uses the bytes that lists of the same representation make and cache. */
export interface EventForm {
  pieces(type: string, object: CachedObject): Pieces;
  /** Like `pieces`, for a large object, in steps between which the caller may pause. */
  largePieces(type: string, object: CachedObject): Steps<Pieces>;
  /** Whether `pieces` is fast even for this large object. */
  isAtHand(object: CachedObject): boolean;
  /** Whether events contain bytes that are cached with the object: large ones are then not copied into frames. */
  readonly sharesBytes: boolean;
}

/** Loads the form of any watch that is not a Table. */
export async function loadEventForm(
  resource: ServedResource,
  { format, transform }: Representation,
  metaApiVersion: string,
  context: EncodingContext,
): Promise<EventForm> {
  if (transform !== undefined) return loadMetadataForm(resource, format, metaApiVersion, context);
  if (format === "protobuf") return loadMessageForm(resource);
  if (format === "cbor") return cborForm(resource);
  return {
    pieces: (type, object) => jsonEvent(type, [jsonOf(object, resource)]),
    *largePieces(type, object) {
      return jsonEvent(type, [yield* jsonSteps(object, resource)]);
    },
    isAtHand: (object) => isEncoded(object, resource, "json"),
    sharesBytes: true,
  };
}

async function loadMessageForm(resource: ServedResource): Promise<EventForm> {
  const type = { apiVersion: resource.apiVersion, kind: resource.descriptor.kind };
  const encode = await loadMessageEncoder(resource);
  return {
    pieces: (event, object) => protobufEvent(event, type, encode(object)),
    *largePieces(event, object) {
      return protobufEvent(event, type, yield* messageSteps(object, resource));
    },
    isAtHand: (object) => isEncoded(object, resource, "protobuf"),
    sharesBytes: true,
  };
}

function cborForm(resource: ServedResource): EventForm {
  return {
    pieces: (type, object) => [encodeCbor({ type, object: servedObject(object, resource) })],
    *largePieces(type, object) {
      return [yield* encodeCborSteps({ type, object: yield* servedSteps(object, resource) })];
    },
    isAtHand: () => false,
    sharesBytes: false,
  };
}

async function loadMetadataForm(
  resource: ServedResource,
  format: Representation["format"],
  metaApiVersion: string,
  context: EncodingContext,
): Promise<EventForm> {
  const message = { apiVersion: metaApiVersion, kind: "PartialObjectMetadata" };
  const schema = context.schemas.of<ApiObject>("meta/v1.PartialObjectMetadata");
  const sizeOf = metadataSizer(resource);
  return {
    pieces: await loadMetadataPieces(resource, format, metaApiVersion, context),
    *largePieces(type, object) {
      const served = yield* servedSteps(object, resource);
      yield;
      const value = partialMetadata(served, metaApiVersion, resource);
      if (format === "protobuf") return protobufEvent(type, message, schema.encodeProtobuf(value));
      if (format === "cbor") return [yield* encodeCborSteps({ type, object: value })];
      return jsonEvent(type, [Buffer.from(yield* stringifyJsonSteps(value))]);
    },
    isAtHand: (object) => sizeOf(object) < LARGE_BYTES,
    sharesBytes: false,
  };
}

async function loadMetadataPieces(
  resource: ServedResource,
  format: Representation["format"],
  metaApiVersion: string,
  context: EncodingContext,
): Promise<EventForm["pieces"]> {
  if (format === "protobuf") {
    const message = { apiVersion: metaApiVersion, kind: "PartialObjectMetadata" };
    const encode = await loadMetadataEncoder(resource, metaApiVersion, context);
    return (type, object) => protobufEvent(type, message, encode(object));
  }
  const read = metadataReader(resource);
  const reduced = (object: CachedObject) => partialMetadata(read(object), metaApiVersion, resource);
  if (format === "cbor") return (type, object) => [encodeCbor({ type, object: reduced(object) })];
  // For converted objects, MetadataJson would cut metadata out of the JSON of the whole object and cache that JSON.
  if (!resource.isStoredVersion)
    return (type, object) => jsonEvent(type, [Buffer.from(stringifyJson(reduced(object)))]);
  const json = new MetadataJson(resource, metaApiVersion);
  return (type, object) => {
    const out = new PieceWriter();
    json.write(object, out);
    return jsonEvent(type, out.pieces);
  };
}
