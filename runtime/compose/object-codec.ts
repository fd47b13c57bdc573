import type { ApiObject } from "../contract/api-object.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { decodeEnvelope, isEnvelope } from "../encoding/protobuf/envelope.ts";
import { withMeta } from "../resource/object-meta.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import { CorruptError } from "../store/errors.ts";
import { decodeStoredJson, encodeStoredJson, isStoredJson } from "../store/value/stored-json.ts";
import { CachedObject, type ObjectReader } from "../watch/cached-object.ts";
import type { ObjectCodec, PlainObject } from "../watch/codec.ts";
import type { MemoBudget } from "../watch/memo-budget.ts";

export interface CodecParts {
  readonly schema: TypeSchema<ApiObject>;
  readonly kind: string;
  readonly apiVersion: string;
  readonly selectableFields: (object: ApiObject) => Readonly<Record<string, string>>;
  readonly budget: MemoBudget;
}

export interface KindCodec extends ObjectCodec {
  encode(object: ApiObject): Uint8Array;
  parse(json: Buffer): ApiObject;
}

/**
 * Reads and writes the stored values of one kind: our JSON with the resourceVersion spliced in, plain JSON, and the
 * protobuf envelope that Kubernetes itself writes.
 */
export function createObjectCodec(parts: CodecParts): KindCodec {
  const parse = (json: Buffer): ApiObject => parseJson(json).value as ApiObject;
  const reader: ObjectReader = {
    parse: (json) => parse(json) as unknown as PlainObject,
    selectableFields: (object) => parts.selectableFields(object as unknown as ApiObject),
    budget: parts.budget,
  };

  const fromObject = (key: string, object: ApiObject, modRevision: number): CachedObject => {
    const versioned = withMeta(object, { resourceVersion: String(modRevision) });
    const json = Buffer.from(stringifyJson(versioned));
    return new CachedObject({ key, modRevision, json, labelsKnown: false }, reader);
  };

  const decodeForeign = (value: Uint8Array): ApiObject => {
    if (isEnvelope(value)) {
      const decoded = parts.schema.decodeProtobuf(decodeEnvelope(value).raw);
      return { ...decoded, kind: parts.kind, apiVersion: parts.apiVersion };
    }
    return parts.schema.decode(parseJson(value).value);
  };

  return {
    parse,
    encode: (object) =>
      encodeStoredJson(object, { fields: parts.selectableFields(object), stringify: (value) => stringifyJson(value) }),
    decode(key, value, modRevision) {
      try {
        if (isStoredJson(value)) {
          const { json, labels, fields } = decodeStoredJson(value, modRevision);
          return new CachedObject({ key, modRevision, json, labelsSpan: labels, fields }, reader);
        }
        return fromObject(key, decodeForeign(value), modRevision);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return CachedObject.corrupt(key, modRevision, new CorruptError(key, why, { cause: error }), reader);
      }
    },
    withRevision: (object, modRevision) => fromObject(object.key, object.object as unknown as ApiObject, modRevision),
  };
}
