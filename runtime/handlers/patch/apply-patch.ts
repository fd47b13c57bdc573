import type { ApiObject } from "../../contract/api-object.ts";
import type { StatusError } from "../../contract/status.ts";
import { decodeCbor } from "../../encoding/cbor/decode-cbor.ts";
import { keyOrder } from "../../encoding/json/key-order.ts";
import type { KeyOrder } from "../../encoding/json/ordered-view.ts";
import { parseJson } from "../../encoding/json/parse-json.ts";
import type { ParsedJson } from "../../encoding/json/parsed-json.ts";
import { checkDepth, DepthError } from "../../encoding/max-depth.ts";
import { parseYaml } from "../../encoding/yaml/parse-yaml.ts";
import type { ParsedYaml } from "../../encoding/yaml/parsed-yaml.ts";
import { YamlError } from "../../encoding/yaml/yaml-error.ts";
import { goQuote } from "../../go/quote.ts";
import { shownNumber } from "../../lib/float-literal.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json-object.ts";
import { goJsonKind } from "../../patch/go-json-kind.ts";
import { applyJsonPatch } from "../../patch/json-patch.ts";
import { applyAnyMergePatch, applyMergePatch, mergePatchSteps, NO_MERGE_PATCH } from "../../patch/merge-patch.ts";
import { PatchError } from "../../patch/patch-error.ts";
import { applyStrategicMergePatch } from "../../patch/strategic/strategic-merge-patch.ts";
import { unknownOperationFields } from "../../patch/strict-operations.ts";
import type { DuplicateKeys } from "../../schema/type-schema.ts";
import {
  badRequest,
  failure,
  plainFailure,
  requestEntityTooLarge,
  unprocessablePatch,
} from "../../values/status-errors.ts";
import type { ApiRequest } from "../api-request.ts";
import type { WriteQuery } from "../query-options.ts";
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

/** The kind of patch that a media type names. Throws 415. */
export function patchKindOf(contentType: string, speaksCbor = true): PatchKind {
  const kind = Object.hasOwn(PATCH_KINDS, contentType) ? PATCH_KINDS[contentType] : undefined;
  if (kind === undefined || (kind === "apply-cbor" && !speaksCbor)) {
    throw failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  return kind;
}

/**
 * The result of a JSON, merge or strategic patch; in the request's version, not yet decoded, and of any depth. `fieldValidation` decides which
 * parser of Kubernetes reads the patch first, and so the error messages.
 */
export function applyPatch(
  kind: PatchKind,
  current: ApiObject,
  body: Buffer,
  request: ApiRequest,
  { fieldValidation }: Pick<WriteQuery, "fieldValidation">,
): PatchOutcome {
  const looksClosely = fieldValidation !== "Ignore";
  const tellsByField = request.resource.schema.tellsByField === true;
  const { value: patch, duplicates } = parsePatch(kind, body, looksClosely, tellsByField);
  try {
    const problems = problemsWithin(kind, body, { value: patch, duplicates }, looksClosely);
    const patched = patchedWith(kind, current as unknown as JsonObject, patch as JsonValue, request, looksClosely);
    return { strategic: kind === "strategic", body, patch, current, patched, problems };
  } catch (error) {
    throw error instanceof PatchError ? translate(error) : error;
  }
}

/** `applyPatch` to a large object; may be interrupted. */
export function* applyPatchSteps(...args: Parameters<typeof applyPatch>): Steps<PatchOutcome> {
  const [kind, current, body, request, { fieldValidation }] = args;
  const looksClosely = fieldValidation !== "Ignore";
  const parsed = parsePatch(kind, body, looksClosely, request.resource.schema.tellsByField === true);
  yield;
  try {
    const { value: patch } = parsed;
    const problems = problemsWithin(kind, body, parsed, looksClosely);
    yield;
    const target = current as unknown as JsonObject;
    const patched =
      kind === "merge"
        ? yield* mergePatchSteps(target, patch as JsonValue, looksClosely)
        : patchedWith(kind, target, patch as JsonValue, request, looksClosely);
    return { strategic: kind === "strategic", body, patch, current, patched, problems };
  } catch (error) {
    throw error instanceof PatchError ? translate(error) : error;
  }
}

/** What strict decoding finds wrong with a patch itself. */
function problemsWithin(
  kind: PatchKind,
  body: Buffer,
  { value: patch, duplicates }: Pick<ParsedJson, "value" | "duplicates">,
  looksClosely: boolean,
): string[] {
  const problems = duplicates === undefined ? [] : duplicateFields(patch, duplicates, keyOrder(body, patch, true));
  if (kind !== "json") return problems;
  if (looksClosely) problems.push(...unknownOperationFields(patch as JsonValue));
  return problems.map((problem) => `json patch ${problem}`);
}

/** Refuses the result of a patch that nests too deep. */
export function checkPatchedDepth({ patched }: PatchOutcome): void {
  try {
    checkDepth(patched);
  } catch (error) {
    throw error instanceof DepthError ? badRequest(`the patched object ${error.message}`) : error;
  }
}

function patchedWith(
  kind: PatchKind,
  target: JsonObject,
  patch: JsonValue,
  request: ApiRequest,
  looksClosely: boolean,
): unknown {
  switch (kind) {
    case "json":
      return applyJsonPatch(target, patch);
    case "merge":
      return looksClosely ? applyMergePatch(target, patch) : applyAnyMergePatch(target, patch);
    default:
      return applyStrategicMergePatch(target, patch, request.resource.schema.mergeType);
  }
}

/** `duplicate field "data.a"` for every key that occurs twice in a patch. */
function duplicateFields(value: unknown, duplicates: DuplicateKeys, keysOf: KeyOrder | undefined, path = ""): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, i) => duplicateFields(item, duplicates, keysOf, `${path.slice(0, -1)}[${i}].`));
  if (!isJsonObject(value)) return [];
  const repeated = new Set(duplicates.get(value));
  return (keysOf?.(value) ?? Object.keys(value)).flatMap((key) => [
    ...(repeated.has(key) ? [`duplicate field ${goQuote(`${path}${key}`)}`] : []),
    ...duplicateFields(value[key], duplicates, keysOf, `${path}${key}.`),
  ]);
}

function parsePatch(kind: PatchKind, body: Buffer, looksClosely: boolean, tellsByField: boolean): ParsedJson {
  let wrong: string | undefined;
  try {
    const parsed = parseJson(body, { floatLiterals: true });
    wrong = tellsByField ? wrongPatch(kind === "json", parsed.value as JsonValue) : undefined;
    if (wrong !== undefined) throw new PatchError("BadPatch", wrong);
    if (kind === "json" && looksClosely) unknownOperationFields(parsed.value as JsonValue);
    const isRead =
      kind === "json" ? looksClosely : (looksClosely || kind === "strategic") && isJsonObject(parsed.value);
    if (parsed.huge !== undefined && isRead) {
      const target = kind === "json" ? "struct field jsonPatchOp.value" : "value";
      throw new Error(`json: cannot unmarshal number ${shownNumber(parsed.huge)} into Go ${target} of type float64`);
    }
    return parsed;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (wrong !== undefined) throw badRequest(`the patch cannot be read: ${wrong}`);
    if (kind === "strategic") throw badRequest(why);
    if (looksClosely) throw badRequest(`error decoding patch: ${why}`);
    throw badRequest(kind === "merge" ? NO_MERGE_PATCH : why);
  }
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
  /** Errors of strict decoding: duplicate keys. */
  readonly problems: readonly string[];
}

/** Reads an apply configuration: YAML, JSON or CBOR. */
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
