import type { ApiObject } from "../../contract/api-object.ts";
import type { StatusError } from "../../contract/status.ts";
import { decodeCbor } from "../../encoding/cbor/decode-cbor.ts";
import { keyOrderSteps } from "../../encoding/json/key-order.ts";
import type { KeyOrder } from "../../encoding/json/ordered-view.ts";
import { parseJson, parseLargeJson } from "../../encoding/json/parse-json.ts";
import type { ParsedJson } from "../../encoding/json/parsed-json.ts";
import { checkDepth, DepthError, isTooDeepSteps } from "../../encoding/max-depth.ts";
import { parseYaml } from "../../encoding/yaml/parse-yaml.ts";
import type { ParsedYaml } from "../../encoding/yaml/parsed-yaml.ts";
import { YamlError } from "../../encoding/yaml/yaml-error.ts";
import { goQuote } from "../../go/quote.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { shownNumber } from "../../lib/float-literal.ts";
import { atOnce, inTurns, LARGE_BYTES, type Steps } from "../../lib/in-turns.ts";
import { isJsonObject, type JsonObject, type JsonValue, MEMBERS_PER_STEP } from "../../lib/json-object.ts";
import { goJsonKind } from "../../patch/go-json-kind.ts";
import { jsonPatchSteps } from "../../patch/json-patch.ts";
import { mergePatchSteps, NO_MERGE_PATCH } from "../../patch/merge-patch.ts";
import { PatchError } from "../../patch/patch-error.ts";
import { strategicMergePatchSteps } from "../../patch/strategic/strategic-merge-patch.ts";
import { checkOperations, unknownOperationFields } from "../../patch/strict-operations.ts";
import { limitObjectsSteps } from "../../resource/limit-objects.ts";
import type { DuplicateKeys } from "../../schema/type-schema.ts";
import {
  badRequest,
  failure,
  plainFailure,
  requestEntityTooLarge,
  unprocessablePatch,
} from "../../values/status-errors.ts";
import type { PatchOutcome } from "./patched-object.ts";
import { wrongPatch } from "./wrong-patch.ts";

export type PatchKind = "json" | "merge" | "strategic" | "apply-yaml" | "apply-cbor";

const PATCH_KINDS: Readonly<Record<string, PatchKind>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply-yaml",
  "application/apply-patch+cbor": "apply-cbor",
};

/** The kind of patch for a media type. Throws 415 if it is not supported. */
export function patchKindOf(contentType: string, speaksCbor = true): PatchKind {
  const kind = Object.hasOwn(PATCH_KINDS, contentType) ? PATCH_KINDS[contentType] : undefined;
  if (kind === undefined || (kind === "apply-cbor" && !speaksCbor)) {
    throw failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  return kind;
}

/** A JSON, merge or strategic merge patch, and how to read it. */
export interface PatchReading {
  readonly kind: PatchKind;
  readonly body: Buffer;
  readonly resource: ServedResource;
  /** True unless `fieldValidation` is Ignore. Determines which parser of Kubernetes reads the patch first, and therefore the error messages. */
  readonly looksClosely: boolean;
}

/** Applies a patch. The result is in the version of the request and not yet decoded. */
export function applyPatch(reading: PatchReading, current: ApiObject): PatchOutcome {
  return atOnce(outcomeSteps(parsePatch(reading), current, reading, false));
}

/** Like `applyPatch`, for a large object or a large patch: takes several turns of the event loop. */
export async function applyLargePatch(reading: PatchReading, current: ApiObject): Promise<PatchOutcome> {
  const parsed = reading.body.length < LARGE_BYTES ? parsePatch(reading) : await parseLargePatch(reading);
  return inTurns(outcomeSteps(parsed, current, reading, true));
}

function* outcomeSteps(
  parsed: ParsedJson,
  current: ApiObject,
  reading: PatchReading,
  isLarge: boolean,
): Steps<PatchOutcome> {
  const { kind, body, resource } = reading;
  const { value: patch } = parsed;
  try {
    const problems = yield* problemsWithin(parsed, reading);
    yield;
    const patched = yield* patchedSteps(current as unknown as JsonObject, patch as JsonValue, reading, isLarge);
    yield;
    if (yield* isTooDeepSteps(patched)) throw badRequest(`the patched object ${new DepthError().message}`);
    // A small merge or strategic merge patch of a small object has a small result; a JSON patch can copy values.
    const mayBeLong = isLarge || kind === "json";
    if (mayBeLong && resource.descriptor.custom === undefined) yield* limitObjectsSteps(patched);
    return { strategic: kind === "strategic", body, patch, current, patched, problems };
  } catch (error) {
    throw error instanceof PatchError ? translate(error) : error;
  }
}

/** Errors of strict decoding in the patch itself. */
function* problemsWithin(
  { value: patch, duplicates }: ParsedJson,
  { kind, body, looksClosely }: PatchReading,
): Steps<readonly string[]> {
  const problems: string[] = [];
  const keysOf = duplicates === undefined ? undefined : yield* keyOrderSteps(body, patch, true);
  if (kind === "json" && Array.isArray(patch))
    for (const [index, operation] of (patch as JsonValue[]).entries()) {
      const unknown = looksClosely ? unknownOperationFields(operation, index) : new Map<string, string>();
      if (duplicates === undefined) problems.push(...unknown.values());
      else yield* addDuplicateFields(operation, duplicates, keysOf, `[${index}].`, problems, unknown);
    }
  else if (duplicates !== undefined) yield* addDuplicateFields(patch, duplicates, keysOf, "", problems);
  return kind === "json" ? problems.map((problem) => `json patch ${problem}`) : problems;
}

function patchedSteps(
  target: JsonObject,
  patch: JsonValue,
  { kind, resource, looksClosely }: PatchReading,
  isLarge: boolean,
): Steps<unknown> {
  switch (kind) {
    case "json":
      return jsonPatchSteps(target, patch, { isLarge });
    case "merge":
      return mergePatchSteps(target, patch, { isStrict: looksClosely, isLarge });
    default:
      return strategicMergePatchSteps(target, patch, resource.schema.mergeType, isLarge);
  }
}

/**
 * Adds `duplicate field "data.a"` for every duplicate key of a patch. At the position of an unknown key, adds its error instead and skips
 * its value. Works in steps between which the caller may pause.
 */
function* addDuplicateFields(
  value: unknown,
  duplicates: DuplicateKeys,
  keysOf: KeyOrder | undefined,
  path: string,
  problems: string[],
  unknown?: ReadonlyMap<string, string>,
): Steps<void> {
  let count = 0;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      const at = `${path.slice(0, -1)}[${i}].`;
      if (typeof item === "object") yield* addDuplicateFields(item, duplicates, keysOf, at, problems);
    }
    return;
  }
  if (!isJsonObject(value)) return;
  const repeated = new Set(duplicates.get(value));
  const keys = keysOf === undefined ? undefined : yield* keysOf(value);
  for (const key of keys ?? Object.keys(value)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const problem = unknown?.get(key);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    if (repeated.has(key)) problems.push(`duplicate field ${goQuote(`${path}${key}`)}`);
    const member = value[key];
    if (typeof member === "object") yield* addDuplicateFields(member, duplicates, keysOf, `${path}${key}.`, problems);
  }
}

function parsePatch(reading: PatchReading): ParsedJson {
  let parsed: ParsedJson;
  try {
    parsed = parseJson(reading.body, { floatLiterals: true });
  } catch (error) {
    throw unreadable(error, reading);
  }
  return checkParsed(parsed, reading);
}

async function parseLargePatch(reading: PatchReading): Promise<ParsedJson> {
  let parsed: ParsedJson;
  try {
    parsed = await parseLargeJson(reading.body, { floatLiterals: true });
  } catch (error) {
    throw unreadable(error, reading);
  }
  return checkParsed(parsed, reading);
}

function checkParsed(parsed: ParsedJson, reading: PatchReading): ParsedJson {
  const { kind, resource, looksClosely } = reading;
  const isOperations = kind === "json";
  const patch = parsed.value as JsonValue;
  const wrong = resource.schema.tellsByField === true ? wrongPatch(isOperations, patch) : undefined;
  if (wrong !== undefined) throw badRequest(`the patch cannot be read: ${wrong}`);
  try {
    if (isOperations && looksClosely) checkOperations(patch);
    const isRead = isOperations ? looksClosely : (looksClosely || kind === "strategic") && isJsonObject(patch);
    if (parsed.huge !== undefined && isRead) {
      const target = isOperations ? "struct field jsonPatchOp.value" : "value";
      throw new Error(`json: cannot unmarshal number ${shownNumber(parsed.huge)} into Go ${target} of type float64`);
    }
    return parsed;
  } catch (error) {
    throw unreadable(error, reading);
  }
}

function unreadable(error: unknown, { kind, looksClosely }: PatchReading): StatusError {
  const why = error instanceof Error ? error.message : String(error);
  if (kind === "strategic") return badRequest(why);
  if (looksClosely) return badRequest(`error decoding patch: ${why}`);
  return badRequest(kind === "merge" ? NO_MERGE_PATCH : why);
}

function translate(error: PatchError): StatusError {
  switch (error.code) {
    case "BadPatch":
      return badRequest(error.message);
    case "TooManyOperations":
      return failure(413, "RequestEntityTooLarge", requestEntityTooLarge(error.message).status.message ?? "");
    case "PatchNotApplicable":
      return unprocessablePatch();
    case "PatchFailed":
      return plainFailure(error.message);
  }
}

/** The configuration of an apply request. */
export interface AppliedConfiguration {
  readonly configuration: ApiObject;
  /** Errors of strict decoding, such as duplicate keys. */
  readonly problems: readonly string[];
}

/** Parses an apply configuration, which is YAML, JSON or CBOR. */
export function parseConfiguration(body: Buffer, kind: PatchKind): AppliedConfiguration {
  const refuse = (why: string) => badRequest(`error decoding ${kind === "apply-cbor" ? "CBOR" : "YAML"}: ${why}`);
  let parsed: ParsedYaml;
  try {
    parsed = kind === "apply-cbor" ? { value: decodeCbor(body), problems: [] } : parseYaml(body);
    if (parsed.isShallow !== true) checkDepth(parsed.value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refuse(error instanceof YamlError ? `error converting YAML to JSON: ${why}` : why);
  }
  const configuration = parsed.value ?? {};
  if (kind === "apply-yaml" && (typeof configuration !== "object" || Array.isArray(configuration))) {
    const wrong = `cannot unmarshal ${goJsonKind(configuration as JsonValue)} into Go value of type map[string]interface {}`;
    throw refuse(`error unmarshaling JSON: while decoding JSON: json: ${wrong}`);
  }
  return {
    configuration: configuration as ApiObject,
    problems: parsed.problems.map((problem) => `error converting YAML to JSON: ${problem}`),
  };
}
