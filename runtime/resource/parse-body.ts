import { decodeCbor, decodeCborSteps } from "../encoding/cbor/decode-cbor.ts";
import { keyOrderSteps } from "../encoding/json/key-order.ts";
import type { Repeated } from "../encoding/json/merge-repeated.ts";
import type { KeyOrder } from "../encoding/json/ordered-view.ts";
import { parseJson, parseLargeJson } from "../encoding/json/parse-json.ts";
import type { ParsedJson } from "../encoding/json/parsed-json.ts";
import { sourceTexts } from "../encoding/json/source-texts.ts";
import { checkDepth, MAX_DEPTH, MAX_INDENTATION } from "../encoding/max-depth.ts";
import { decodeEnvelope } from "../encoding/protobuf/envelope.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import { sortUtf8Steps } from "../lib/compare-utf8.ts";
import { inTurns, LARGE_BYTES, rest, type Steps } from "../lib/in-turns.ts";
import { isJsonObject } from "../lib/json-object.ts";
import type { DuplicateKeys } from "../schema/type-schema.ts";
import { type LiveParts, parseLike } from "./parse-like.ts";

export type BodyFormat = "json" | "yaml" | "protobuf" | "cbor";

/** A body, parsed as far as possible without knowing its type. */
export type ParsedBody =
  | {
      readonly form: "value";
      readonly value: unknown;
      /** Whether no object occurs more than once in the value, as with YAML aliases, and none is part of another value. */
      readonly isTree?: boolean;
      /** Canonical parts that need no decoding. */
      readonly ready?: ReadonlySet<object> | undefined;
      readonly duplicates?: DuplicateKeys | undefined;
      /** Earlier values of duplicate keys. The last value is in `value`. */
      readonly repeated?: readonly Repeated[] | undefined;
      /** Returns the JSON source of an object or list in the value, if the body was JSON. */
      readonly textOf?: (part: object) => string | undefined;
      /** The order in which to read keys, if it differs from that of the value. */
      readonly order?: () => Steps<KeyOrder | undefined>;
      /** Errors of the parser. */
      readonly problems?: readonly string[];
    }
  | {
      readonly form: "message";
      readonly apiVersion: string;
      readonly kind: string;
      readonly bytes: Uint8Array;
    };

/** Parses a body. Throws an error with Go's message for the same bytes. */
export function parseBody(body: Buffer, format: BodyFormat, known?: LiveParts): ParsedBody {
  switch (format) {
    case "json": {
      const alike = known && parseLike(body, known.live);
      const parsed = alike ?? parseJson(body, { floatLiterals: true, sharesFields: true });
      if (mayBeTooDeep(body, parsed)) checkDepth(parsed.value);
      return { ...jsonBody(body, parsed), ...(alike && sharedWith(known)) };
    }
    case "yaml": {
      const { value, problems, isShallow, isTree = false } = parseYaml(body);
      // Kubernetes converts YAML to JSON with sorted keys before it decodes it.
      if (isShallow !== true) checkDepth(value);
      return { form: "value", value, isTree, problems, order: sortedOrder };
    }
    case "cbor":
      return { form: "value", value: decodeCbor(body), isTree: true };
    case "protobuf": {
      const { apiVersion, kind, raw } = decodeEnvelope(body);
      return { form: "message", apiVersion, kind, bytes: raw };
    }
  }
}

/** Parts of the live object must be copied, except the status if the write keeps it. */
function sharedWith({ live, keepsStatus }: LiveParts): Pick<ParsedBody & { form: "value" }, "isTree" | "ready"> {
  const { status } = live.object;
  return { isTree: false, ...(keepsStatus && isJsonObject(status) && { ready: new Set([status]) }) };
}

/** Like `parseBody`, for a large body: takes several turns of the event loop. */
export async function parseLargeBody(body: Buffer, format: BodyFormat): Promise<ParsedBody> {
  if (body.length < LARGE_BYTES) return parseBody(body, format);
  if (format === "cbor") return { form: "value", value: await inTurns(decodeCborSteps(body)), isTree: true };
  if (format !== "json") return parseBody(body, format);
  const parsed = await parseLargeJson(body, { floatLiterals: true });
  if (mayBeTooDeep(body, parsed)) {
    await rest();
    checkDepth(parsed.value);
  }
  return jsonBody(body, parsed);
}

function* sortedOrder(): Steps<KeyOrder> {
  yield;
  return (object) => sortUtf8Steps(Object.keys(object));
}

/** Whether the body may exceed a depth limit. A line takes at least two bytes, and at most two spaces of indentation per level. */
function mayBeTooDeep(body: Buffer, { depth }: ParsedJson): boolean {
  return depth > MAX_DEPTH || depth * body.length > MAX_INDENTATION;
}

function jsonBody(body: Buffer, { value, duplicates, repeated }: ParsedJson): ParsedBody {
  return {
    form: "value",
    value,
    isTree: true,
    duplicates,
    repeated,
    textOf: sourceTexts(body, value),
    order: () => keyOrderSteps(body, value, duplicates !== undefined),
  };
}
