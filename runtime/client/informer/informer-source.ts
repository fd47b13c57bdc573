import { apiVersionOf } from "../../contract/group-version.ts";
import type { ResourceToken } from "../../contract/resource-token.ts";
import { parseOwnJson } from "../../encoding/json/parse-own-json.ts";
import { type Selection, selectionQuery } from "../options.ts";
import type { Requester } from "../requester.ts";
import { EventReader, type ObjectEvent, type ReadEvent, type WatchEvent } from "../watch-events.ts";
import { isLazy, type TypeOfObject } from "./lazy-object.ts";
import { type KeptFields, LazyReader, PARTIAL_TYPE } from "./lazy-reader.ts";
import type { KnownObject } from "./local-store.ts";
import type { InformerSource, SourceEvent, TakeEvents } from "./source.ts";

/** Which objects an informer reads, and which parts of each it keeps. */
export interface SourceOptions extends Selection {
  /** Keep metadata only. The server then sends nothing else. */
  readonly metadataOnly?: boolean;
  /** Keep `metadata.managedFields`, which is often half of an object. Dropped by default. */
  readonly keepManagedFields?: boolean;
}

const PARTIAL = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const PARTIAL_LIST = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

interface Received {
  apiVersion?: string;
  kind?: string;
  metadata: { name: string; uid: string; resourceVersion: string; managedFields?: unknown };
}

interface ReceivedList {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly Received[] | null;
}

/** Creates lists and watches of one resource for an informer. `path` is the path of the collection. */
export function createInformerSource<O extends KnownObject>(
  requester: Requester,
  path: string,
  token: ResourceToken<object>,
  options: SourceOptions,
): InformerSource<O> {
  const { metadataOnly = false, keepManagedFields = false } = options;
  const selection = selectionQuery(options);
  const type = { apiVersion: apiVersionOf(token), kind: token.kind };
  const reader = new LazyReader(type, { keepManagedFields, metadataOnly });
  const keep = createKeep<O>(type, { keepManagedFields, metadataOnly });
  const accept = (form: string) => (metadataOnly ? { accept: `application/json;${form},application/json` } : {});
  return {
    async list({ limit, continue: next, signal }) {
      const query = { ...selection, limit: limit || undefined, continue: next || undefined };
      const bytes = await requester.bytes({ method: "GET", path, query, signal, ...accept(PARTIAL_LIST) });
      const { metadata, items } = (reader.page(bytes) ?? parseOwnJson(bytes) ?? {}) as ReceivedList;
      if (typeof metadata?.resourceVersion !== "string" || metadata.resourceVersion === "")
        throw new TypeError("the server sent no list with a resourceVersion, from which a watch could begin");
      return {
        items: (items ?? []).map(keep),
        resourceVersion: metadata.resourceVersion,
        continue: metadata.continue ?? "",
      };
    },
    async watch({ resourceVersion, sendInitialEvents, timeoutSeconds, known, signal }, take) {
      const initial = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
      const response = await requester.open({
        method: "GET",
        path,
        query: {
          watch: true,
          allowWatchBookmarks: true,
          ...selection,
          resourceVersion: resourceVersion || undefined,
          timeoutSeconds,
          ...(sendInitialEvents && initial),
        },
        signal,
        isStream: true,
        retries: false,
        ...accept(PARTIAL),
      });
      const readEvent: ReadEvent<object> = (bytes, from, to) =>
        reader.event(bytes, from, to, known) as ObjectEvent<object> | undefined;
      const events = new EventReader<object>(readEvent);
      await response.read((chunk) => takeChunk(events, chunk, keep, take));
    },
    release: (object) => reader.release(object),
  };
}

/** Reduces an object to the parts that are kept. A lazy object was already reduced when it was read. Throws a TypeError for an invalid object. */
type Keep<O> = (object: Received | null | undefined) => O;

function createKeep<O extends KnownObject>(type: TypeOfObject, kept: KeptFields): Keep<O> {
  return (object) => {
    if (object != null && isLazy(object)) return object as unknown as O;
    const { name, uid, resourceVersion } = object?.metadata ?? {};
    if (typeof name !== "string" || typeof uid !== "string" || typeof resourceVersion !== "string" || object == null)
      throw new TypeError("the server sent an object without a name, UID or resourceVersion");
    const { metadata, apiVersion = type.apiVersion, kind = type.kind } = object;
    const expected = kept.metadataOnly && kind === PARTIAL_TYPE.kind ? PARTIAL_TYPE : type;
    if (apiVersion !== expected.apiVersion || kind !== expected.kind)
      throw new TypeError(
        `the server sent ${apiVersion} ${kind} "${name}" in place of ${type.apiVersion} ${type.kind}`,
      );
    if (!kept.keepManagedFields && metadata.managedFields !== undefined) delete metadata.managedFields;
    if (kept.metadataOnly) return { ...type, metadata } as unknown as O;
    // List items come without apiVersion and kind.
    if (object.kind === undefined) Object.assign(object, type);
    return object as unknown as O;
  };
}

/** Passes on the events of a chunk. Events before a malformed one are valid: they are passed on before the malformed one fails the watch. */
function takeChunk<O extends KnownObject>(
  events: EventReader<object>,
  chunk: Uint8Array,
  keep: Keep<O>,
  take: TakeEvents<O>,
): void | Promise<void> {
  const read: WatchEvent<object>[] = [];
  const kept: SourceEvent<O>[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    events.push(chunk, read);
  } catch (error) {
    failure = { error };
  }
  try {
    for (const event of read) kept.push(keepEvent(event, keep));
  } catch (error) {
    failure = { error };
  }
  const waiting = kept.length > 0 ? take(kept) : undefined;
  if (failure === undefined) return waiting;
  const { error } = failure;
  return Promise.resolve(waiting).then(() => Promise.reject(error));
}

function keepEvent<O extends KnownObject>(event: WatchEvent<object>, keep: Keep<O>): SourceEvent<O> {
  return event.type === "BOOKMARK" || isLazy(event.object)
    ? (event as SourceEvent<O>)
    : { type: event.type, object: keep(event.object as Received) };
}
