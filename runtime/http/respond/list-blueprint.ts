import { encodeCbor } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../../encoding/protobuf/envelope.ts";
import { lengthPrefix } from "./length-prefix.ts";
import type { Shown } from "./list-head.ts";

/** Tag of the protobuf field of a list that contains its metadata. */
const LIST_METADATA = 0x0a;
/** The same tag in lists of `meta.<domain>/v1beta1`, where the items are field 1. */
const LIST_METADATA_V1BETA1 = 0x12;

/** An empty list of the kind, in the representation of the watch, as base64. Clients that list by watching fill it with the objects they receive. */
export function listBlueprint({ resource, representation: { format, transform }, context }: Shown): string {
  const { descriptor } = resource;
  const kind = transform ? "PartialObjectMetadataList" : descriptor.listKind;
  const apiVersion = transform ? `${context.types.metaGroup}/${transform.version}` : resource.apiVersion;
  if (format === "protobuf") {
    const meta = context.schemas.of("meta/v1.ListMeta").encodeProtobuf({});
    const tag = transform?.version === "v1beta1" ? LIST_METADATA_V1BETA1 : LIST_METADATA;
    const list = Buffer.concat([lengthPrefix(tag, meta.length), meta]);
    return toBase64(encodeEnvelope({ apiVersion, kind, raw: list }));
  }
  const isCustom = descriptor.custom !== undefined && !transform;
  const list = isCustom ? { apiVersion, items: [], kind } : { kind, apiVersion, metadata: {}, items: null };
  return toBase64(format === "cbor" ? encodeCbor(list) : Buffer.from(`${stringifyJson(list)}\n`));
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
