import type { ApiObject } from "../contract/api-object.ts";
import { parseOwnJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { decodeEnvelope } from "../encoding/protobuf/envelope.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { PlainObject } from "../watch/codec.ts";
import type { MemoBudget } from "../watch/memo-budget.ts";
import { StoredObjectCodec } from "../watch/stored-object-codec.ts";

export interface CodecParts {
  readonly schema: TypeSchema<ApiObject>;
  readonly kind: string;
  readonly apiVersion: string;
  readonly selectableFields: (object: ApiObject) => Readonly<Record<string, string>>;
  readonly budget: MemoBudget;
}

/** Reads and writes the stored values of one kind, those that Kubernetes itself wrote as protobuf included. */
export function createObjectCodec(parts: CodecParts): StoredObjectCodec {
  return new StoredObjectCodec({
    reader: {
      parse: (json) => parseObject(json) as unknown as PlainObject,
      stringify: (value) => stringifyJson(value),
      selectableFields: (object) => parts.selectableFields(object as unknown as ApiObject),
      budget: parts.budget,
    },
    decodeForeign(value) {
      const { kind: _kind, apiVersion: _apiVersion, ...rest } = parts.schema.decodeProtobuf(decodeEnvelope(value).raw);
      return { kind: parts.kind, apiVersion: parts.apiVersion, ...rest };
    },
  });
}

export function parseObject(json: Buffer): ApiObject {
  return parseOwnJson(json) as ApiObject;
}
