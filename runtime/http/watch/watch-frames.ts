import type { ApiObject } from "../../contract/api-object.ts";
import type { Status } from "../../contract/status.ts";
import { encodeCbor, encodeCborSteps } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson, stringifyJsonSteps } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope, envelopeAround } from "../../encoding/protobuf/envelope.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { inTurns, LARGE_BYTES, type Steps } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { memoOf } from "../../watch/memo-budget.ts";
import type { BookmarkNotice, ObjectNotice, WatchNotice } from "../../watch/watch-event.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import {
  type EncodingContext,
  isEncoded,
  jsonOf,
  jsonSteps,
  messageOf,
  messageSteps,
  servedObject,
  servedSteps,
} from "../respond/encode-object.ts";
import { lengthPrefix } from "../respond/length-prefix.ts";
import { listBlueprint } from "../respond/list-blueprint.ts";
import { RowObject } from "../respond/row-object.ts";
import { type IncludeObject, partialMetadata, tableRow, tableShape } from "../respond/table.ts";

/** How frames are wrapped: not at all, as a chunk of HTTP's chunked transfer coding, or as a message with a length of its own. */
export type TransferCoding = "none" | "chunked" | "message";

/** Turns notices into the bytes of one watch stream. */
export interface WatchFramer {
  /** Equal for framers that make the same bytes of a notice; undefined if each makes its own. */
  readonly sharedName: string | undefined;
  frame(notice: WatchNotice): Uint8Array;
  /** The frame of a large object in pieces: its own bytes, which all watches share, and those around them; undefined for others. */
  pieces(notice: WatchNotice): readonly Uint8Array[] | undefined;
  /** The frame of a large object that takes long to make, in pieces; undefined where `frame` and `pieces` have it at hand. */
  largeFrame(notice: WatchNotice): Promise<readonly Uint8Array[]> | undefined;
  /** The last event of a watch that failed. */
  error(status: Status): Uint8Array;
}

const LENGTH_BYTES = 4;
/** Objects from this size on are not copied into frames. */
const LARGE_OBJECT_BYTES = 64 * 1024;
const CHUNK_END = Buffer.from("\r\n");
const JSON_END = Buffer.from("}\n");

/** Frames are made once per change and representation; only tables, which send their columns once, are made per watch. */
export function createFramer(
  resource: ServedResource,
  representation: Representation,
  include: IncludeObject,
  context: EncodingContext,
  coding: TransferCoding,
): WatchFramer {
  const { format, transform } = representation;
  const metaApiVersion = `${context.types.metaGroup}/${transform?.version ?? "v1"}`;
  const memoName = `frame ${resource.apiVersion} ${format} ${transform?.kind ?? ""} ${metaApiVersion} ${coding}`;
  const code = coderOf(coding, format);
  let columnsSent = false;

  const takeColumns = () => {
    const columnDefinitions = columnsSent ? null : tableShape(resource).columnDefinitions;
    columnsSent = true;
    return columnDefinitions;
  };

  const table = (row: RowObject | undefined, columnDefinitions = takeColumns()): ApiObject => ({
    kind: "Table",
    apiVersion: metaApiVersion,
    metadata: { resourceVersion: row?.metadata.resourceVersion ?? "" },
    columnDefinitions,
    rows: row === undefined ? [] : [tableRow(resource, row, { metaApiVersion, include, now: context.now })],
  });

  const frameObject = (notice: ObjectNotice): Uint8Array => {
    if (transform === undefined && format === "json") {
      return jsonFrame(notice.type, jsonOf(notice.object, resource));
    }
    if (transform === undefined && format === "protobuf") {
      const message = messageOf(notice.object, resource);
      return protobufFrame(
        notice.type,
        encodeEnvelope({ apiVersion: resource.apiVersion, kind: resource.descriptor.kind, raw: message }),
      );
    }
    const object = servedObject(notice.object, resource);
    return frameValue(
      notice.type,
      transform === undefined ? object : partialMetadata(object, metaApiVersion, resource),
    );
  };

  const frameValue = (type: string, object: ApiObject): Uint8Array => {
    switch (format) {
      case "protobuf": {
        const schema =
          object.kind === "Status" ? "meta/v1.Status" : transform ? "meta/v1.PartialObjectMetadata" : undefined;
        const message = (schema ? context.schemas.of<ApiObject>(schema) : resource.schema).encodeProtobuf(object);
        return protobufFrame(
          type,
          encodeEnvelope({ apiVersion: object.apiVersion ?? "", kind: object.kind ?? "", raw: message }),
        );
      }
      case "cbor":
        return encodeCbor({ type, object });
      default:
        return jsonFrame(type, Buffer.from(stringifyJson(object)));
    }
  };

  const annotationsOf = ({ initialEventsEnd }: BookmarkNotice): Record<string, string> | undefined =>
    initialEventsEnd
      ? {
          [`${context.naming.domain}/initial-events-end`]: "true",
          [context.naming.key("initial-events-list-blueprint")]: listBlueprint(resource, representation, context),
        }
      : undefined;

  const frameAlone = (notice: WatchNotice): Uint8Array => {
    if (notice.type !== "BOOKMARK")
      return frameValue(notice.type, table(RowObject.ofStored(resource, notice.object.object as unknown as ApiObject)));
    const bookmark = bookmarkObject(resource, notice, annotationsOf(notice));
    if (transform?.kind === "Table") {
      const { metadata } = bookmark;
      return frameValue("BOOKMARK", { ...table(undefined), metadata });
    }
    return frameValue("BOOKMARK", transform ? partialMetadata(bookmark, metaApiVersion, resource) : bookmark);
  };

  const piecesAround = (type: string, message: Uint8Array): readonly Uint8Array[] => {
    const { head, tail } = envelopeAround({
      apiVersion: resource.apiVersion,
      kind: resource.descriptor.kind,
      rawLength: message.length,
    });
    return protobufPieces(type, [head, message, tail]);
  };

  const piecesOf = (notice: ObjectNotice): readonly Uint8Array[] => {
    if (format === "json") return jsonPieces(notice.type, jsonOf(notice.object, resource));
    return piecesAround(notice.type, messageOf(notice.object, resource));
  };

  const inChunk = (pieces: readonly Uint8Array[]): readonly Uint8Array[] =>
    coding === "chunked" ? [chunkLength(lengthOf(pieces)), ...pieces, CHUNK_END] : pieces;

  function* largeTableSteps({ type, object }: ObjectNotice, columns: TableColumns): Steps<readonly Uint8Array[]> {
    const stored = (yield* object.objectSteps()) as unknown as ApiObject;
    yield;
    const value = table(RowObject.ofStored(resource, stored), columns);
    yield;
    return [code(yield* valueSteps(type, value))];
  }

  function* largeFrameSteps(notice: ObjectNotice): Steps<readonly Uint8Array[]> {
    const { type, object: cached } = notice;
    if (transform === undefined && format === "protobuf") {
      return inChunk(piecesAround(type, yield* messageSteps(cached, resource)));
    }
    if (transform === undefined && format === "json")
      return inChunk(jsonPieces(type, yield* jsonSteps(cached, resource)));
    const served = yield* servedSteps(cached, resource);
    yield;
    const value = transform === undefined ? served : partialMetadata(served, metaApiVersion, resource);
    const frame = code(yield* valueSteps(type, value));
    return [notice.frame(memoName, () => frame)];
  }

  function* valueSteps(type: string, object: ApiObject): Steps<Uint8Array> {
    if (format === "cbor") return yield* encodeCborSteps({ type, object });
    if (format === "protobuf") return frameValue(type, object);
    return jsonFrame(type, Buffer.from(yield* stringifyJsonSteps(object)));
  }

  const isAtHand = (notice: ObjectNotice): boolean => {
    const { object } = notice;
    if (object.size < LARGE_BYTES) return true;
    if (transform === undefined && (format === "json" || format === "protobuf")) {
      return isEncoded(object, resource, format);
    }
    return memoOf(notice, memoName) !== undefined;
  };

  return {
    sharedName: transform?.kind === "Table" ? undefined : memoName,
    frame(notice) {
      if (notice.type === "BOOKMARK" || transform?.kind === "Table") return code(frameAlone(notice));
      return notice.frame(memoName, () => code(frameObject(notice)));
    },
    pieces(notice) {
      if (notice.type === "BOOKMARK" || notice.object.size < LARGE_OBJECT_BYTES) return undefined;
      if (transform !== undefined || (format !== "json" && format !== "protobuf")) return undefined;
      return inChunk(piecesOf(notice));
    },
    largeFrame(notice) {
      if (notice.type === "BOOKMARK" || isAtHand(notice)) return undefined;
      if (transform?.kind !== "Table") return shareFrame(notice, memoName, () => largeFrameSteps(notice));
      const columns = takeColumns();
      const name = `${memoName} ${include} ${columns === null}`;
      return shareFrame(notice, name, () => largeTableSteps(notice, columns));
    },
    error: (status) => code(frameValue("ERROR", status as unknown as ApiObject)),
  };
}

type TableColumns = ReturnType<typeof tableShape>["columnDefinitions"] | null;

const inProgress = new WeakMap<CachedObject, Map<string, Promise<readonly Uint8Array[]>>>();

/** Watches that need the same frame of an object while it is made share it, also those that begin with the object and have no notice in common. */
function shareFrame(
  { object, type }: ObjectNotice,
  framer: string,
  steps: () => Steps<readonly Uint8Array[]>,
): Promise<readonly Uint8Array[]> {
  const name = `${type} ${framer}`;
  const frames = inProgress.get(object) ?? new Map<string, Promise<readonly Uint8Array[]>>();
  inProgress.set(object, frames);
  const known = frames.get(name);
  if (known !== undefined) return known;
  const frame = inTurns(steps()).finally(() => frames.delete(name));
  frames.set(name, frame);
  return frame;
}

function coderOf(coding: TransferCoding, format: Representation["format"]): (frame: Uint8Array) => Uint8Array {
  if (coding === "chunked") return chunkOf;
  const saysLength = coding === "message" && format === "protobuf";
  return saysLength ? (frame) => frame.subarray(LENGTH_BYTES) : (frame) => frame;
}

function chunkOf(frame: Uint8Array): Uint8Array {
  return Buffer.concat([chunkLength(frame.length), frame, CHUNK_END]);
}

function chunkLength(bytes: number): Buffer {
  return Buffer.from(`${bytes.toString(16)}\r\n`);
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function bookmarkObject(
  resource: ServedResource,
  notice: BookmarkNotice,
  annotations: Record<string, string> | undefined,
): ApiObject {
  return {
    ...resource.schema.emptyObject(),
    kind: resource.descriptor.kind,
    apiVersion: resource.apiVersion,
    metadata: {
      resourceVersion: String(notice.revision),
      creationTimestamp: null,
      ...(annotations && { annotations }),
    },
  };
}

function jsonFrame(type: string, json: Uint8Array): Uint8Array {
  return Buffer.concat(jsonPieces(type, json));
}

function jsonPieces(type: string, json: Uint8Array): readonly Uint8Array[] {
  return [Buffer.from(`{"type":"${type}","object":`), json, JSON_END];
}

function protobufFrame(type: string, envelope: Uint8Array): Uint8Array {
  return Buffer.concat(protobufPieces(type, [envelope]));
}

/** Four bytes of length, then `WatchEvent { type = 1; object = 2 { raw = 1 } }`. */
function protobufPieces(type: string, envelope: readonly Uint8Array[]): readonly Uint8Array[] {
  const typeBytes = Buffer.from(type);
  const envelopeLength = lengthOf(envelope);
  const rawPrefix = lengthPrefix(0x0a, envelopeLength);
  const head = [
    lengthPrefix(0x0a, typeBytes.length),
    typeBytes,
    lengthPrefix(0x12, rawPrefix.length + envelopeLength),
    rawPrefix,
  ];
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(lengthOf(head) + envelopeLength);
  return [Buffer.concat([length, ...head]), ...envelope];
}
