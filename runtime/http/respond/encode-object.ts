import type { ApiObject } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import { encodeCbor, encodeCborSteps } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson, stringifyJsonSteps } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../../encoding/protobuf/envelope.ts";
import { stringifyYaml, stringifyYamlSteps } from "../../encoding/yaml/stringify-yaml.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { Steps } from "../../lib/in-turns.ts";
import type { Schemas, TypeSchema } from "../../schema/type-schema.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import type { MediaFormat, MediaTypes } from "../negotiate/media-types.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import type { RowObject } from "./row-object.ts";

export interface EncodingContext {
  readonly types: MediaTypes;
  readonly schemas: Schemas;
  readonly now: () => Date;
  readonly naming: Naming;
}

const NEWLINE = Buffer.from("\n");

/** An object in one format, with the newline that ends JSON on one line. */
export function encodeValue(
  value: ApiObject,
  schema: TypeSchema<ApiObject>,
  format: MediaFormat,
  pretty: boolean,
): Uint8Array {
  switch (format) {
    case "json":
      return encodeJson(value, pretty);
    case "yaml":
      return Buffer.from(stringifyYaml(value));
    case "cbor":
      return encodeCbor(value);
    case "protobuf":
      return encodeEnvelope({
        apiVersion: value.apiVersion ?? "",
        kind: value.kind ?? "",
        raw: schema.encodeProtobuf(value),
      });
  }
}

/** The same for a large object; may be interrupted. */
export function* encodeValueSteps(
  value: ApiObject,
  schema: TypeSchema<ApiObject>,
  format: MediaFormat,
  pretty: boolean,
): Steps<Uint8Array> {
  if (format === "yaml") return Buffer.from(yield* stringifyYamlSteps(value));
  if (format === "cbor") return yield* encodeCborSteps(value);
  if (format === "json" && !pretty) return Buffer.from(`${yield* stringifyJsonSteps(value)}\n`);
  if (format === "json" || schema.encodeProtobufSteps === undefined) return encodeValue(value, schema, format, pretty);
  const raw = yield* schema.encodeProtobufSteps(value);
  return encodeEnvelope({ apiVersion: value.apiVersion ?? "", kind: value.kind ?? "", raw });
}

/** Indented JSON has no newline at its end. */
export function encodeJson(value: object, pretty: boolean): Buffer {
  return Buffer.from(`${stringifyJson(value, pretty ? { pretty } : undefined)}${pretty ? "" : "\n"}`);
}

/** A cached object in the version of the resource, in one format: from cached bytes where there are some. */
export function encodeCached(
  cached: CachedObject,
  resource: ServedResource,
  { format, pretty }: Representation,
): Uint8Array {
  if (format === "json" && !pretty) {
    return jsonLine(jsonOf(cached, resource));
  }
  return encodeValue(servedObject(cached, resource), resource.schema, format, pretty);
}

/** Cached JSON as a response body: with a newline at its end. */
export function jsonLine(json: Uint8Array): Uint8Array {
  return Buffer.concat([json, NEWLINE]);
}

/** The JSON of an object, no newline. `row` is the same object, where it may be converted already. */
export function jsonOf(cached: CachedObject, resource: ServedResource, row?: RowObject): Buffer {
  if (resource.isStoredVersion) {
    return cached.json;
  }
  const bytes = cached.encoding(jsonName(resource), () =>
    Buffer.from(stringifyJson(row?.served ?? servedOnce(cached, resource))),
  );
  return asBuffer(bytes);
}

const jsonName = ({ apiVersion }: ServedResource): string => `${apiVersion} json`;

/** `jsonOf` for a large object; may be interrupted. */
export function* jsonSteps(cached: CachedObject, resource: ServedResource): Steps<Buffer> {
  if (isEncoded(cached, resource, "json")) return jsonOf(cached, resource);
  const json = yield* stringifyJsonSteps(yield* servedSteps(cached, resource));
  return asBuffer(cached.encoding(jsonName(resource), () => Buffer.from(json)));
}

/** Whether `jsonOf` or `messageOf` has the bytes at hand. */
export function isEncoded(cached: CachedObject, resource: ServedResource, format: "json" | "protobuf"): boolean {
  if (format === "json") return resource.isStoredVersion || cached.hasEncoding(jsonName(resource));
  return cached.hasEncoding(messageName(resource));
}

/** The protobuf message of an object, no envelope. */
function messageOf(cached: CachedObject, resource: ServedResource): Buffer {
  const encode = () => resource.schema.encodeProtobuf(servedToEncode(cached, resource));
  return asBuffer(cached.encoding(messageName(resource), encode));
}

const messageName = ({ apiVersion }: ServedResource): string => `${apiVersion} protobuf`;

/** `messageOf` for a large object; may be interrupted. */
export function* messageSteps(cached: CachedObject, resource: ServedResource): Steps<Buffer> {
  const { schema } = resource;
  const name = messageName(resource);
  if (schema.encodeProtobufSteps === undefined || cached.hasEncoding(name)) return messageOf(cached, resource);
  const message = yield* schema.encodeProtobufSteps(yield* servedSteps(cached, resource));
  return asBuffer(cached.encoding(name, () => message));
}

type MessageEncoder = (cached: CachedObject) => Buffer;

const loadedEncoders = new WeakMap<ServedResource, MessageEncoder>();

/** `messageOf`, and what is stored as it is served is not parsed. */
export async function loadMessageEncoder(resource: ServedResource): Promise<MessageEncoder> {
  const loaded = loadedEncoders.get(resource);
  if (loaded !== undefined) return loaded;
  const { schema, isStoredVersion } = resource;
  const transcode = isStoredVersion ? await schema.loadTranscoder?.() : undefined;
  const name = messageName(resource);
  const encode = (cached: CachedObject) =>
    (cached.isAllInJson ? transcode?.(cached.json) : undefined) ??
    schema.encodeProtobuf(servedToEncode(cached, resource));
  const encoder: MessageEncoder = (cached) => asBuffer(cached.encoding(name, encode));
  loadedEncoders.set(resource, encoder);
  return encoder;
}

/** Bytes with the methods of a buffer; kept ones have them already. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** As `servedObject`, for work whose result is kept or that passes over many objects. */
export function servedOnce(cached: CachedObject, resource: ServedResource): ApiObject {
  return resource.fromStored(cached.objectOnce as unknown as ApiObject);
}

/** As `servedOnce`; of a large object it may be interrupted. */
export function* servedSteps(cached: CachedObject, resource: ServedResource): Steps<ApiObject> {
  return resource.fromStored((yield* cached.objectSteps()) as unknown as ApiObject);
}

/** As `servedOnce`, for encoders that know `JsonText`: what no other version shares is not parsed. */
function servedToEncode(cached: CachedObject, resource: ServedResource): ApiObject {
  return resource.isStoredVersion ? (cached.objectToEncode as unknown as ApiObject) : servedOnce(cached, resource);
}

/** The object in the version of the resource; shared, must not be changed. */
export function servedObject(cached: CachedObject, resource: ServedResource): ApiObject {
  return resource.fromStored(cached.object as unknown as ApiObject);
}
