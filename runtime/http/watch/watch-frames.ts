import type { ApiObject } from "../../contract/api-object.ts";
import type { Status } from "../../contract/status.ts";
import { encodeCbor } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { inTurns, LARGE_BYTES, type Steps } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { memoOf } from "../../watch/memo-budget.ts";
import type { BookmarkNotice, ObjectNotice, WatchNotice } from "../../watch/watch-event.ts";
import type { EncodingContext } from "../respond/encode-object.ts";
import { listBlueprint } from "../respond/list-blueprint.ts";
import { metaApiVersion as metaApiVersionOf, type Shown } from "../respond/list-head.ts";
import { partialMetadata } from "../respond/table.ts";
import { loadEventForm } from "./event-forms.ts";
import type { FrameLog, FrameLogs, Pieces } from "./frame-log.ts";
import { coderOf, joinPieces, jsonEvent, protobufEvent, type TransferCoding } from "./frame-pieces.ts";
import { TableEvents } from "./table-events.ts";

/** Encodes notices as frames of one watch stream. */
export interface WatchFramer {
  /** Framers with the same name make the same bytes of a notice. Undefined if the frames are specific to this framer. */
  readonly name: string | undefined;
  frame(notice: WatchNotice): Uint8Array;
  /**
   * The frame of a large object in pieces: the object's own bytes, which all watches share, and the bytes around them. Undefined for other
   * notices.
   */
  pieces(notice: WatchNotice): Pieces | undefined;
  /** The pieces of a frame that takes long to make because its object is large. Undefined if `frame` or `pieces` is fast enough. */
  largeFrame(notice: WatchNotice): Promise<Pieces> | undefined;
  /** The ERROR event that ends a failed watch. */
  error(status: Status): Uint8Array;
}

/** Objects of at least this size are not copied into frames. */
const LARGE_OBJECT_BYTES = 64 * 1024;

export interface FramingContext extends EncodingContext {
  readonly frameLogs: FrameLogs;
}

/** A watch, and how its events are framed. */
interface FramedWatch extends Shown {
  readonly context: FramingContext;
  readonly coding: TransferCoding;
}

/** Loads the framer of a watch. Frames are made once per change and representation; those of Tables, whose rows show ages, once per second. */
export function loadFramer(watch: FramedWatch): WatchFramer | Promise<WatchFramer> {
  return watch.representation.transform?.kind === "Table" ? tableFramer(watch) : loadObjectFramer(watch);
}

async function loadObjectFramer(watch: FramedWatch): Promise<WatchFramer> {
  const { resource, representation, context, coding } = watch;
  const { format, transform } = representation;
  const metaApiVersion = metaApiVersionOf(representation, context);
  const name = memoName(watch);
  const form = await loadEventForm(resource, representation, metaApiVersion, context);
  const code = coderOf(coding, format);
  const finish = (event: Pieces) => joinPieces(code(event));
  const valueEvent = valueEvents(watch);
  const keep = frameKeeper(context.frameLogs.of(resource, name), code);

  function* largeSteps(notice: ObjectNotice): Steps<Pieces> {
    const event = yield* form.largePieces(notice.type, notice.object);
    return form.sharesBytes ? code(event) : [keep(notice, name, () => event)];
  }

  const isAtHand = (notice: ObjectNotice): boolean =>
    notice.object.size < LARGE_BYTES || memoOf(notice, name) !== undefined || form.isAtHand(notice.object);

  return {
    name,
    frame(notice) {
      if (notice.type !== "BOOKMARK") return keep(notice, name, () => form.pieces(notice.type, notice.object));
      const bookmark = bookmarkObject(watch, notice);
      return finish(valueEvent("BOOKMARK", transform ? partialMetadata(bookmark, metaApiVersion, resource) : bookmark));
    },
    pieces(notice) {
      if (notice.type === "BOOKMARK" || notice.object.size < LARGE_OBJECT_BYTES || !form.sharesBytes) return undefined;
      return code(form.pieces(notice.type, notice.object));
    },
    largeFrame(notice) {
      if (notice.type === "BOOKMARK" || isAtHand(notice)) return undefined;
      return shareFrame(notice, name, () => largeSteps(notice));
    },
    error: (status) => finish(valueEvent("ERROR", status as unknown as ApiObject)),
  };
}

/** Returns a function that makes a frame and caches it if other watches may need it. */
function frameKeeper(log: FrameLog, code: (event: Pieces) => Pieces) {
  return (notice: ObjectNotice, name: string, eventOf: () => Pieces): Uint8Array =>
    notice.frame(name, () => (notice.isShared ? log.append(code(eventOf())) : joinPieces(code(eventOf()))));
}

function tableFramer(watch: FramedWatch): WatchFramer {
  const { resource, representation, include, context, coding } = watch;
  const table = new TableEvents(resource, metaApiVersionOf(representation, context), include, context.now);
  const name = `${memoName(watch)} ${include}`;
  const nameNow = () => `${name} ${Math.floor(context.now().getTime() / 1000)}`;
  const code = coderOf(coding, representation.format);
  const keep = frameKeeper(context.frameLogs.of(resource, name), code);
  const finish = (event: Pieces) => joinPieces(code(event));
  const valueEvent = valueEvents(watch);

  function* largeSteps({ type, object }: ObjectNotice, columns: ReturnType<TableEvents["takeColumns"]>): Steps<Pieces> {
    return [finish(yield* table.largeEvent(type, object, columns))];
  }

  return {
    get name() {
      return table.hasSentColumns ? nameNow() : undefined;
    },
    frame(notice) {
      const columns = table.takeColumns();
      if (notice.type !== "BOOKMARK") {
        const event = () => table.event(notice.type, notice.object, columns);
        return columns === null ? keep(notice, nameNow(), event) : finish(event());
      }
      const { metadata } = bookmarkObject(watch, notice);
      return finish(valueEvent("BOOKMARK", table.empty(metadata, columns)));
    },
    pieces: () => undefined,
    largeFrame(notice) {
      if (notice.type === "BOOKMARK" || notice.object.size < LARGE_BYTES) return undefined;
      const columns = table.takeColumns();
      return shareFrame(notice, `${name} ${columns === null}`, () => largeSteps(notice, columns));
    },
    error: (status) => finish(valueEvent("ERROR", status as unknown as ApiObject)),
  };
}

function memoName({ resource, representation, context, coding }: FramedWatch): string {
  const { format, transform } = representation;
  return `frame ${resource.apiVersion} ${format} ${transform?.kind ?? ""} ${metaApiVersionOf(representation, context)} ${coding}`;
}

/** Events of objects that are not stored: bookmarks and errors. */
function valueEvents({
  resource,
  representation: { format, transform },
  context: { schemas },
}: FramedWatch): (type: string, object: ApiObject) => Pieces {
  if (format === "cbor") return (type, object) => [encodeCbor({ type, object })];
  if (format !== "protobuf") return (type, object) => jsonEvent(type, [Buffer.from(stringifyJson(object))]);
  return (type, object) => {
    const { apiVersion = "", kind = "" } = object;
    const other = kind === "Status" ? "meta/v1.Status" : transform ? "meta/v1.PartialObjectMetadata" : undefined;
    const schema = other === undefined ? resource.schema : schemas.of<ApiObject>(other);
    return protobufEvent(type, { apiVersion, kind }, schema.encodeProtobuf(object));
  };
}

const inProgress = new WeakMap<CachedObject, Map<string, Promise<Pieces>>>();

/**
 * Shares a frame between watches that need it while it is being made, including those that start with the object as an initial event and
 * therefore share no notice.
 */
function shareFrame({ object, type }: ObjectNotice, framer: string, steps: () => Steps<Pieces>): Promise<Pieces> {
  const name = `${type} ${framer}`;
  const frames = inProgress.get(object) ?? new Map<string, Promise<Pieces>>();
  inProgress.set(object, frames);
  const known = frames.get(name);
  if (known !== undefined) return known;
  const frame = inTurns(steps()).finally(() => frames.delete(name));
  frames.set(name, frame);
  return frame;
}

function bookmarkObject(watch: FramedWatch, { revision, initialEventsEnd }: BookmarkNotice): ApiObject {
  const { resource, representation, context } = watch;
  const { naming } = context;
  const annotations = initialEventsEnd && {
    [`${naming.domain}/initial-events-end`]: "true",
    [naming.key("initial-events-list-blueprint")]: listBlueprint(watch),
  };
  const { apiVersion, descriptor, schema } = resource;
  const { kind } = descriptor;
  const resourceVersion = String(revision);
  // Kubernetes has no Go type for custom objects: their members are sorted, and none has a zero value.
  if (descriptor.custom !== undefined && representation.transform === undefined)
    return { apiVersion, kind, metadata: { ...(annotations && { annotations }), resourceVersion } };
  const metadata = { resourceVersion, creationTimestamp: null, ...(annotations && { annotations }) };
  const object = { kind, apiVersion, ...schema.emptyObject(), metadata };
  resource.stored.hooks.compatibility?.bookmark?.(object);
  return object;
}
