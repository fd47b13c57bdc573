import type { ApiObject } from "../../contract/api-object.ts";
import { envelopeAround } from "../../encoding/protobuf/envelope.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { inTurns, LARGE_BYTES } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { windowsOf } from "../../watch/read-ahead.ts";
import type { ListResult } from "../../watch/requests.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import { asBuffer, type EncodingContext, loadMessageEncoder, messageSteps, servedToEncode } from "./encode-object.ts";
import { prefixedLength, writeLengthPrefix } from "./length-prefix.ts";
import { listFrame, listMeta, metaApiVersion } from "./list-head.ts";
import { metadataCutter } from "./metadata-json.ts";
import type { Pacer } from "./pacer.ts";
import type { Body } from "./send-body.ts";
import { partialMetadata } from "./table.ts";

/** Fields of a list in protobuf, as tags of what has a length. */
const LIST_METADATA = 0x0a;
const LIST_ITEM = 0x12;

/**
 * `List { metadata = 1; repeated items = 2 }` inside the envelope, from kept messages: of whole objects or of their metadata. The
 * envelope begins with the length of everything, so the messages are all made first.
 */
export async function joinProtobuf(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  context: EncodingContext,
  pacer: Pacer,
): Promise<Body> {
  const { schemas } = context;
  const meta = asBuffer(schemas.of("meta/v1.ListMeta").encodeProtobuf({ ...listMeta(list) }));
  const messageOf =
    representation.transform === undefined
      ? await loadMessageEncoder(resource)
      : await loadMetadataEncoder(resource, metaApiVersion(representation, context), context);
  let rawLength = prefixedLength(meta.length);
  const messages: Buffer[] = [];
  for (const { objects, ready } of windowsOf(list.items)) {
    if (ready !== undefined) await pacer.outside(() => ready);
    for (const item of objects) {
      const isLarge = representation.transform === undefined && item.size >= LARGE_BYTES;
      const message = isLarge ? await pacer.outside(() => inTurns(messageSteps(item, resource))) : messageOf(item);
      messages.push(message);
      rawLength += prefixedLength(message.length);
      if (pacer.isDue()) await pacer.rest();
    }
  }
  const { kind, apiVersion } = listFrame(list, resource, representation, context).before;
  const { head, tail } = envelopeAround({ apiVersion: String(apiVersion), kind: String(kind), rawLength });
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

/** The messages of `PartialObjectMetadata`, which name neither kind nor version. What is stored as it is served is not parsed. */
async function loadMetadataEncoder(
  resource: ServedResource,
  metaApiVersion: string,
  { schemas }: EncodingContext,
): Promise<(cached: CachedObject) => Buffer> {
  const schema = schemas.of<ApiObject>("meta/v1.PartialObjectMetadata");
  const name = `${resource.apiVersion} metadata protobuf`;
  const isCut = resource.isStoredVersion && resource.hooks.compatibility?.versionAnnotations === undefined;
  const transcode = isCut ? await schema.loadTranscoder?.() : undefined;
  const cut = metadataCutter(resource);
  const encodeCut = (cached: CachedObject): Uint8Array | undefined => {
    const json = transcode !== undefined && cached.isAllInJson ? cut(cached.jsonOnce) : undefined;
    return json && transcode?.(json);
  };
  const encode = (cached: CachedObject) =>
    encodeCut(cached) ??
    schema.encodeProtobuf(partialMetadata(servedToEncode(cached, resource), metaApiVersion, resource));
  return (cached) => asBuffer(cached.encoding(name, encode));
}
