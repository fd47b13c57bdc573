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

/** Encodes an object in one format. Unindented JSON ends with a newline. */
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

/** Like `encodeValue`, for a large object, in steps between which the caller may pause. */
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

/** Indented JSON has no newline at its end; unindented JSON has one. */
export function encodeJson(value: object, pretty: boolean): Buffer {
  return Buffer.from(`${stringifyJson(value, pretty ? { pretty } : undefined)}${pretty ? "" : "\n"}`);
}

/** Encodes a cached object in the version of the resource, from cached bytes if there are any. */
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

/** Cached JSON as a response body, which ends with a newline. */
export function jsonLine(json: Uint8Array): Uint8Array {
  return Buffer.concat([json, NEWLINE]);
}

/** The JSON of an object, without a newline. `row` is the same object; its converted form is reused. */
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

/** Like `jsonOf`, for a large object, in steps between which the caller may pause. */
export function* jsonSteps(cached: CachedObject, resource: ServedResource): Steps<Buffer> {
  if (isEncoded(cached, resource, "json")) return jsonOf(cached, resource);
  const json = yield* stringifyJsonSteps(yield* servedSteps(cached, resource));
  return asBuffer(cached.encoding(jsonName(resource), () => Buffer.from(json)));
}

/** Whether the result of `jsonOf` or of the protobuf encoding is already available. */
export function isEncoded(cached: CachedObject, resource: ServedResource, format: "json" | "protobuf"): boolean {
  if (format === "json") return resource.isStoredVersion || cached.hasEncoding(jsonName(resource));
  return cached.hasEncoding(messageName(resource));
}

/** The protobuf message of an object, without the envelope. */
function messageOf(cached: CachedObject, resource: ServedResource): Buffer {
  const encode = () => resource.schema.encodeProtobuf(servedToEncode(cached, resource));
  return asBuffer(cached.encoding(messageName(resource), encode));
}

const messageName = ({ apiVersion }: ServedResource): string => `${apiVersion} protobuf`;

/** Like `messageOf`, for a large object, in steps between which the caller may pause. */
export function* messageSteps(cached: CachedObject, resource: ServedResource): Steps<Buffer> {
  const { schema } = resource;
  const name = messageName(resource);
  if (schema.encodeProtobufSteps === undefined || cached.hasEncoding(name)) return messageOf(cached, resource);
  const message = yield* schema.encodeProtobufSteps(yield* servedSteps(cached, resource));
  return asBuffer(cached.encoding(name, () => message));
}

type MessageEncoder = (cached: CachedObject) => Buffer;

const loadedEncoders = new WeakMap<ServedResource, MessageEncoder>();

/** Loads a function that does the same as `messageOf`, but does not parse objects that are stored in the version in which they are served. */
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

/** The bytes as a Buffer; cached bytes already are one. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Like `servedObject`, but does not cache the parsed object. For results that are cached, and for work on many objects. */
export function servedOnce(cached: CachedObject, resource: ServedResource): ApiObject {
  return resource.fromStored(cached.objectOnce as unknown as ApiObject);
}

/** Like `servedOnce`. For a large object, in steps between which the caller may pause. */
export function* servedSteps(cached: CachedObject, resource: ServedResource): Steps<ApiObject> {
  return resource.fromStored((yield* cached.objectSteps()) as unknown as ApiObject);
}

/** Like `servedOnce`, for encoders that support `JsonText`. If no conversion is needed, `fieldsV1` is not parsed. */
function servedToEncode(cached: CachedObject, resource: ServedResource): ApiObject {
  return resource.isStoredVersion ? (cached.objectToEncode as unknown as ApiObject) : servedOnce(cached, resource);
}

/** The object in the version of the resource. Shared: must not be changed. */
export function servedObject(cached: CachedObject, resource: ServedResource): ApiObject {
  return resource.fromStored(cached.object as unknown as ApiObject);
}
