import type { ApiObject } from "../contract/api-object.ts";
import {
  badRequest,
  failure,
  plainFailure,
  requestEntityTooLarge,
  type StatusError,
  unprocessablePatch,
} from "../contract/status.ts";
import { decodeCbor } from "../encoding/cbor/decode-cbor.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import type { JsonObject, JsonValue } from "../lib/json-object.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import { applyMergePatch } from "../patch/merge-patch.ts";
import { PatchError } from "../patch/patch-error.ts";
import { applyStrategicMergePatch } from "../patch/strategic/strategic-merge-patch.ts";
import type { ApiRequest } from "./api-request.ts";
import type { PatchKind } from "./patch.ts";

/** The object a JSON, merge or strategic patch makes of another; in the request's version, not yet decoded. */
export function applyPatch(kind: PatchKind, live: ApiObject, body: Buffer, request: ApiRequest): unknown {
  const target = live as unknown as JsonObject;
  const patch = parsePatch(kind, body);
  try {
    switch (kind) {
      case "json":
        return applyJsonPatch(target, patch);
      case "merge":
        return applyMergePatch(target, patch);
      default:
        return applyStrategicMergePatch(target, patch, request.resource.schema.mergeType);
    }
  } catch (error) {
    throw error instanceof PatchError ? translate(error) : error;
  }
}

function parsePatch(kind: PatchKind, body: Buffer): JsonValue {
  try {
    return parseJson(body, { floatLiterals: true }).value as JsonValue;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(kind === "strategic" ? why : `error decoding patch: ${why}`);
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

/** Reads what an apply request wants. */
export function parseConfiguration(body: Buffer, kind: PatchKind): unknown {
  try {
    return kind === "apply-cbor" ? decodeCbor(body) : parseYaml(body).value;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(kind === "apply-cbor" ? `error decoding CBOR: ${why}` : `error decoding YAML: ${why}`);
  }
}
