import { envelopeAround } from "../../encoding/protobuf/envelope.ts";
import { inTurns, LARGE_BYTES } from "../../lib/in-turns.ts";
import { windowsOf } from "../../watch/read-ahead.ts";
import { asBuffer, loadMessageEncoder, messageSteps } from "./encode-object.ts";
import { prefixedLength, writeLengthPrefix } from "./length-prefix.ts";
import { listFrame, listMeta, metaApiVersion, type ShownList } from "./list-head.ts";
import { loadMetadataEncoder } from "./metadata-protobuf.ts";
import type { Pacer } from "./pacer.ts";
import type { Body } from "./send-body.ts";

/** Tags of the protobuf fields of a list. */
const LIST_METADATA = 0x0a;
const LIST_ITEM = 0x12;

/**
 * Encodes `List { metadata = 1; repeated items = 2 }` in the envelope, from cached messages of whole objects or of their metadata. The
 * envelope begins with the total length, so all messages are made first.
 */
export async function joinProtobuf(shown: ShownList, pacer: Pacer): Promise<Body> {
  const { list, resource, representation, context } = shown;
  const meta = asBuffer(context.schemas.of("meta/v1.ListMeta").encodeProtobuf({ ...listMeta(list) }));
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
  const { kind, apiVersion } = listFrame(shown).before;
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
