import type { ApiObject } from "../../contract/api-object.ts";
import type { RequestTrail } from "../../contract/audit-trail.ts";
import type { Status } from "../../contract/status.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../../encoding/protobuf/envelope.ts";
import type { Answer, CachedAnswer, ListAnswer, ObjectAnswer } from "../../handlers/answer.ts";
import { ownersTable } from "../../handlers/owners-table.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { inTurns, LARGE_BYTES, rest } from "../../lib/in-turns.ts";
import type { TypeSchema } from "../../schema/type-schema.ts";
import { failure, plainFailure } from "../../values/status-errors.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import type { AppContext } from "../pipeline/app-state.ts";
import type { Budget } from "../pipeline/budget.ts";
import { sendWatch, type WatchContext } from "../watch/send-watch.ts";
import type { ChunkPool } from "./chunk-pool.ts";
import {
  type EncodingContext,
  encodeCached,
  encodeValue,
  encodeValueSteps,
  jsonLine,
  loadMessageEncoder,
  messageSteps,
  servedSteps,
} from "./encode-object.ts";
import { bytesHeld, listBody } from "./list-body.ts";
import { metaApiVersion, type ShownList } from "./list-head.ts";
import { metadataReader, metadataSizer } from "./metadata-json.ts";
import { Pacer, type SharedSlices } from "./pacer.ts";
import { sendText } from "./plain-text.ts";
import { RowObject } from "./row-object.ts";
import { finished, holdUnread, sendBytes } from "./send.ts";
import { bytesOf, sendBody } from "./send-body.ts";
import type { ConnectionContext } from "./send-connection.ts";
import { partialMetadata, readIncludeObject, tableRow, tableShape } from "./table.ts";

export interface ResponseContext extends WatchContext {
  /** Pool of chunks, shared by all responses. */
  readonly chunkPool: ChunkPool;
  /** The time that long responses take of a turn of the event loop. */
  readonly slices: SharedSlices;
  /** Budget for bytes that clients have not read yet. */
  readonly unread: Budget;
  /** Whether large responses are compressed. */
  readonly compress: boolean;
  /** Connections to nodes, pods and services; undefined if this server makes none. */
  readonly connections?: (() => Promise<ConnectionContext>) | undefined;
}

/** Encodes the result of a handler in the negotiated representation, and sends it. */
export async function respond(
  ctx: AppContext,
  answer: Answer,
  representation: Representation,
  context: ResponseContext,
): Promise<void> {
  if (answer.type === "list") refuseSingle(answer.resource, representation);
  if (ctx.state.trail?.keepsAnswers) {
    await noteAnswer(ctx, ctx.state.trail, answer, representation, context);
  }
  const contentType = context.types.nameOf[representation.format];
  const compress = context.compress && ctx.state.info.method === "GET";
  const { unread } = context;
  switch (answer.type) {
    case "cached":
    case "object": {
      const status = answer.type === "object" ? answer.status : 200;
      const size = answer.type === "cached" ? answer.object.size : (answer.json?.length ?? 0);
      const source = size < LARGE_BYTES ? messageSource(answer, representation) : undefined;
      const bytes =
        size >= LARGE_BYTES
          ? await encodeLarge(ctx, answer, representation, context)
          : source === undefined
            ? encodeOne(ctx, answer, representation, context)
            : await encodeMessage(source);
      await sendBytes(ctx, bytes, { status, contentType, compress, unread });
      return;
    }
    case "list": {
      const shown = shownList(ctx, answer, representation, context);
      const giveBack = holdUnread(ctx, bytesHeld(answer.list, representation, context.chunkPool), unread);
      try {
        const pacer = new Pacer(context.slices);
        const body = await listBody(shown, pacer);
        await sendBody(ctx, body, { status: 200, contentType, compress }, { pool: context.chunkPool, pacer });
        if (giveBack !== undefined) {
          ctx.state.slot?.release();
          await finished(ctx.res);
        }
      } finally {
        giveBack?.();
      }
      return;
    }
    case "watch":
      await sendWatch(ctx, answer, representation, context);
      return;
    case "connection":
      if (context.connections === undefined) throw plainFailure("this server has no connection to nodes");
      await (await import("./send-connection.ts")).sendConnection(ctx, answer, await context.connections());
      return;
    case "status":
      noteStatus(ctx, answer.body);
      await sendStatus(ctx, answer.body, answer.status, representation, context);
      return;
    case "text":
      if (answer.text === "") {
        await sendBytes(ctx, Buffer.alloc(0), { status: 204, contentType: "", compress: false });
      } else {
        await sendText(ctx, 200, answer.text);
      }
  }
}

/** Throws 400 for an invalid `includeObject` of a Table. */
function shownList(
  { state }: AppContext,
  { list, resource }: ListAnswer,
  representation: Representation,
  context: EncodingContext,
): ShownList {
  const include = representation.transform?.kind === "Table" ? readIncludeObject(state.info.query) : "None";
  return { list, resource, representation, include, context };
}

/** Throws 406 if a list is requested in the form of a single object. */
function refuseSingle(resource: ServedResource, { transform }: Representation): void {
  const kind = transform?.kind;
  if (kind !== "PartialObjectMetadata" && kind !== "Owners") return;
  const problem = `you requested ${kind}, but the requested object is a list (${goTypeOf(resource)}List)`;
  throw failure(406, "NotAcceptable", problem);
}

export async function sendStatus(
  ctx: AppContext,
  status: Status,
  code: number,
  { format, pretty }: Representation,
  context: EncodingContext & { readonly unread: Budget },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const schema = context.schemas.of<ApiObject>("meta/v1.Status");
  const bytes = encodeValue(status as unknown as ApiObject, schema, format, pretty);
  const { types, unread } = context;
  await sendBytes(ctx, bytes, { status: code, contentType: types.nameOf[format], compress: false, headers, unread });
}

/** Adds a Status to the audit event. */
export function noteStatus(ctx: AppContext, status: Status): void {
  const { trail } = ctx.state;
  trail?.ends(status);
  if (trail?.keepsAnswers) trail.answers(stringifyJson(status));
}

/** Adds the response to the audit event, always as JSON. */
async function noteAnswer(
  ctx: AppContext,
  trail: RequestTrail,
  answer: Answer,
  { transform }: Representation,
  context: ResponseContext,
): Promise<void> {
  const representation: Representation = { format: "json", pretty: false, ...(transform && { transform }) };
  if (answer.type === "list") {
    const body = await listBody(shownList(ctx, answer, representation, context), new Pacer(context.slices));
    trail.answers(jsonText(bytesOf(body, context.chunkPool)));
  } else if (answer.type === "cached" || answer.type === "object") {
    trail.answers(jsonText(encodeOne(ctx, answer, representation, context)));
  }
}

function jsonText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8").trimEnd();
}

/** The object whose cached protobuf message is sent, so that other requests and watches can reuse it. Undefined if anything else is sent. */
function messageSource(
  answer: CachedAnswer | ObjectAnswer,
  { format, transform }: Representation,
): CachedAnswer | undefined {
  if (format !== "protobuf" || transform !== undefined) return undefined;
  if (answer.type === "cached") return answer;
  const { cached, resource } = answer;
  return cached && resource && { type: "cached", object: cached, resource };
}

async function encodeMessage({ object, resource }: CachedAnswer): Promise<Uint8Array> {
  const raw = (await loadMessageEncoder(resource))(object);
  return encodeEnvelope({ apiVersion: resource.apiVersion, kind: resource.descriptor.kind, raw });
}

/** Like `encodeOne`, for a large object: takes several turns of the event loop. */
async function encodeLarge(
  ctx: AppContext,
  answer: CachedAnswer | ObjectAnswer,
  representation: Representation,
  context: EncodingContext,
): Promise<Uint8Array> {
  const { format, pretty, transform } = representation;
  const isStoredJson = format === "json" && !pretty && transform === undefined;
  if (answer.type === "cached" && !isStoredJson && !hasMetadataAtHand(answer, representation)) {
    await answer.object.load();
    await rest();
  }
  if (transform !== undefined && answer.resource !== undefined) {
    const { value, schema } = transformOne(ctx, answer, answer.resource, representation, context);
    return inTurns(encodeValueSteps(value, schema, format, pretty));
  }
  if (format === "json") return encodeOne(ctx, answer, representation, context);
  if (answer.type === "object") return inTurns(encodeValueSteps(answer.object, answer.schema, format, pretty));
  if (format === "protobuf") {
    const raw = await inTurns(messageSteps(answer.object, answer.resource));
    return encodeEnvelope({ apiVersion: answer.resource.apiVersion, kind: answer.resource.descriptor.kind, raw });
  }
  const value = await inTurns(servedSteps(answer.object, answer.resource));
  return inTurns(encodeValueSteps(value, answer.resource.schema, format, pretty));
}

/** Whether only metadata is requested, and it is small enough to parse at once. */
function hasMetadataAtHand({ object, resource }: CachedAnswer, { transform }: Representation): boolean {
  return transform?.kind === "PartialObjectMetadata" && metadataSizer(resource)(object) < LARGE_BYTES;
}

function encodeOne(
  ctx: AppContext,
  answer: CachedAnswer | ObjectAnswer,
  representation: Representation,
  context: EncodingContext,
): Uint8Array {
  const { format, pretty, transform } = representation;
  if (transform !== undefined && answer.resource !== undefined) {
    const { value, schema } = transformOne(ctx, answer, answer.resource, representation, context);
    return encodeValue(value, schema, format, pretty);
  }
  if (answer.type === "cached") return encodeCached(answer.object, answer.resource, representation);
  if (answer.json !== undefined && format === "json" && !pretty) return jsonLine(answer.json);
  return encodeValue(answer.object, answer.schema, format, pretty);
}

function rowOf(answer: CachedAnswer | ObjectAnswer, resource: ServedResource): RowObject {
  return answer.type === "cached"
    ? RowObject.ofStored(resource, answer.object.object as unknown as ApiObject)
    : RowObject.ofServed(resource, answer.object, answer.stored);
}

const UNSTRUCTURED = "*unstructured.Unstructured";

/** The Go name of the type, as quoted in messages. */
function goTypeOf({ descriptor }: ServedResource): string {
  const { custom, group, kind, storage } = descriptor;
  const [home = "", type = ""] = storage.type.split("/");
  if (custom !== undefined) return home === group ? UNSTRUCTURED : `*${type}`;
  return `*${home}.${kind}`;
}

/** One object as a Table with one row, or as its metadata. */
function transformOne(
  ctx: AppContext,
  answer: CachedAnswer | ObjectAnswer,
  resource: ServedResource,
  representation: Representation,
  context: EncodingContext,
): { readonly value: ApiObject; readonly schema: TypeSchema<ApiObject> } {
  const { transform } = representation;
  const apiVersion = metaApiVersion(representation, context);
  if (transform?.kind === "PartialObjectMetadataList") {
    const type = goTypeOf(resource);
    if (type === UNSTRUCTURED) throw plainFailure("content is not a list");
    const problem = `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`;
    throw failure(406, "NotAcceptable", problem);
  }
  if (transform?.kind === "PartialObjectMetadata") {
    const schema = context.schemas.of<ApiObject>("meta/v1.PartialObjectMetadata");
    const served = answer.type === "cached" ? metadataReader(resource)(answer.object) : answer.object;
    return { value: partialMetadata(served, apiVersion, resource), schema };
  }
  const row = rowOf(answer, resource);
  const schema = context.schemas.of<ApiObject>("meta/v1.Table");
  if (transform?.kind === "Owners") {
    return { value: ownersTable(row.served, resource.schema.mergeType, apiVersion), schema };
  }
  const include = readIncludeObject(ctx.state.info.query);
  const table = {
    kind: "Table",
    apiVersion,
    metadata: {
      ...(row.metadata.resourceVersion !== undefined && { resourceVersion: row.metadata.resourceVersion }),
    },
    columnDefinitions: tableShape(resource).columnDefinitions,
    rows: [tableRow(resource, row, { metaApiVersion: apiVersion, include, now: context.now })],
  };
  return { value: table as unknown as ApiObject, schema };
}
