import { ENVELOPE_TAIL, writeEnvelopeHead } from "../../encoding/protobuf/envelope.ts";
import { WireWriter } from "../../encoding/protobuf/wire-writer.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import type { BodyWriter } from "../respond/chunk-writer.ts";
import { lengthOf, type Pieces } from "./frame-log.ts";

/** How frames are wrapped: not at all, as a chunk of HTTP's chunked transfer coding, or as a message of a protocol that has its own lengths. */
export type TransferCoding = "none" | "chunked" | "message";

const LENGTH_BYTES = 4;
const CHUNK_END = Buffer.from("\r\n");
const JSON_END = Buffer.from("}\n");

/** Returns a function that wraps the pieces of an event in the coding of its stream. */
export function coderOf(coding: TransferCoding, format: Representation["format"]): (event: Pieces) => Pieces {
  if (coding === "chunked") return (event) => [chunkLength(lengthOf(event)), ...event, CHUNK_END];
  if (coding === "none" || format !== "protobuf") return (event) => event;
  return ([first, ...rest]) => (first === undefined ? rest : [first.subarray(LENGTH_BYTES), ...rest]);
}

export function joinPieces(pieces: Pieces): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

function chunkLength(bytes: number): Buffer {
  return Buffer.from(`${bytes.toString(16)}\r\n`);
}

/** A JSON event with the JSON of its object. */
export function jsonEvent(type: string, object: Pieces): Pieces {
  return [Buffer.from(`{"type":"${type}","object":`), ...object, JSON_END];
}

/** The type that the envelope of an object's message names. */
export interface MessageType {
  readonly apiVersion: string;
  readonly kind: string;
}

const HEAD_BYTES = 256;
const headWriter = new WireWriter(HEAD_BYTES);

/** A protobuf event with the message of its object: four bytes of length, then `WatchEvent { type = 1; object = 2 { raw = 1 } }`. */
export function protobufEvent(type: string, { apiVersion, kind }: MessageType, message: Uint8Array): Pieces {
  const rest = message.length + ENVELOPE_TAIL.length;
  const writer = headWriter;
  writeEnvelopeHead({ apiVersion, kind, rawLength: message.length }, writer);
  writer.varint(writer.length + rest);
  writer.varint(0x0a);
  writer.varint(writer.length + rest);
  writer.varint(0x12);
  writer.string(type);
  writer.varint(0x0a);
  const length = writer.length + rest;
  writer.bytes([length >>> 24, length >>> 16, length >>> 8, length]);
  return [writer.takeSmall(), message, ENVELOPE_TAIL];
}

/** Collects the written pieces without copying bytes. */
export class PieceWriter implements BodyWriter {
  readonly pieces: Buffer[] = [];

  byte(byte: number): void {
    this.pieces.push(Buffer.of(byte));
  }

  text(text: string): void {
    this.pieces.push(Buffer.from(text));
  }

  bytes(bytes: Buffer, start = 0, end = bytes.length): void {
    this.pieces.push(bytes.subarray(start, end));
  }
}
