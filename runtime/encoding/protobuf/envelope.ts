import { ProtobufError, WIRE_BYTES, WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** The prefix of every protobuf object of the API, in storage and on the wire. */
const MAGIC = Buffer.from("k8s\0", "latin1");

/** The type of an enveloped object, and its message. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
  readonly contentEncoding?: string;
  readonly contentType?: string;
}

export function isEnvelope(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && MAGIC.compare(bytes, 0, 4) === 0;
}

/** Encodes `k8s\0` and a `runtime.Unknown` message. */
export function encodeEnvelope({ raw, ...envelope }: Envelope): Buffer {
  const { head, tail } = envelopeAround({ ...envelope, rawLength: raw.length });
  return Buffer.concat([head, raw, tail]);
}

/** The end of an envelope without content encoding and content type: two empty strings. */
export const ENVELOPE_TAIL = Buffer.from([0x1a, 0, 0x22, 0]);

/** The information before the message in an envelope. */
export type EnvelopeHead = Pick<Envelope, "apiVersion" | "kind"> & { readonly rawLength: number };

/** Returns the bytes before and after a message of a given length in its envelope, for messages that are too long to be copied. */
export function envelopeAround(envelope: Omit<Envelope, "raw"> & EnvelopeHead): {
  readonly head: Buffer;
  readonly tail: Buffer;
} {
  const { contentType = "", contentEncoding = "" } = envelope;
  const writer = new WireWriter(envelope.apiVersion.length + envelope.kind.length + 64);
  writeEnvelopeHead(envelope, writer);
  const head = writer.takeSmall();
  if (contentType === "" && contentEncoding === "") return { head, tail: ENVELOPE_TAIL };
  writer.string(contentType);
  writer.varint(0x22);
  writer.string(contentEncoding);
  writer.varint(0x1a);
  return { head, tail: writer.takeSmall() };
}

export function writeEnvelopeHead({ apiVersion, kind, rawLength }: EnvelopeHead, writer: WireWriter): void {
  writer.varint(rawLength);
  writer.varint(0x12);
  const before = writer.length;
  writer.string(kind);
  writer.varint(0x12);
  writer.string(apiVersion);
  writer.varint(0x0a);
  writer.varint(writer.length - before);
  writer.varint(0x0a);
  writer.bytes(MAGIC);
}

/** Decodes an envelope. Throws `ProtobufError` for anything else. `raw` shares memory with the input. */
export function decodeEnvelope(bytes: Uint8Array): Required<Envelope> {
  if (bytes.length === 0) throw new ProtobufError("empty data");
  if (!isEnvelope(bytes)) {
    throw new ProtobufError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  if (bytes.length === 4) throw new ProtobufError("empty body");
  const reader = new WireReader(bytes.subarray(4));
  const fields = ["", "", "", ""];
  let typeMeta = { apiVersion: "", kind: "" };
  let raw: Buffer = Buffer.alloc(0);
  readFields(reader, "Unknown", (field) => {
    if (field === 1) typeMeta = readTypeMeta(reader);
    else if (field === 2) raw = reader.bytes();
    else if (field === 3 || field === 4) fields[field - 1] = reader.string();
    else return false;
    return true;
  });
  return { ...typeMeta, raw, contentEncoding: fields[2] as string, contentType: fields[3] as string };
}

function readTypeMeta(reader: WireReader): { apiVersion: string; kind: string } {
  const typeMeta = { apiVersion: "", kind: "" };
  const outer = reader.enter();
  readFields(reader, "TypeMeta", (field) => {
    if (field === 1) typeMeta.apiVersion = reader.string();
    else if (field === 2) typeMeta.kind = reader.string();
    else return false;
    return true;
  });
  reader.leave(outer);
  return typeMeta;
}

/** Reads fields, which are all length-prefixed in an envelope. Skips fields for which `take` returns false. */
function readFields(reader: WireReader, message: string, take: (field: number) => boolean): void {
  while (!reader.atEnd) {
    const tag = reader.uint32();
    if (tag >>> 3 === 0) throw new ProtobufError(`proto: ${message}: illegal tag 0 (wire type ${tag & 7})`);
    if ((tag & 7) !== WIRE_BYTES || !take(tag >>> 3)) reader.skip(tag & 7, tag >>> 3);
  }
}
