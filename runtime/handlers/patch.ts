import type { ApiObject } from "../contract/api-object.ts";
import { failure, invalid, type StatusError } from "../contract/status.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { invalidField } from "../lib/field-errors.ts";
import { FloatLiteral } from "../lib/float-literal.ts";
import { goPlainText } from "../lib/go-plain-text.ts";
import { goQuote } from "../lib/go-quote.ts";
import type { ServedResource } from "../resource/served-resource.ts";
import { updateObject } from "../resource/update-object.ts";
import type { WriteRequest } from "../resource/write-request.ts";
import { DecodeError } from "../schema/schema-errors.ts";
import { type Answer, liveAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { readWriteQuery, type WriteQuery } from "./query-options.ts";
import {
  checkNameInBody,
  checkNamespaceInBody,
  expectedType,
  toDefaultedStored,
  type WriteContext,
  writeRequest,
} from "./write-context.ts";

export type PatchKind = "json" | "merge" | "strategic" | "apply-yaml" | "apply-cbor";

/** Applies one kind of patch to an object of the request's version; pure. Throws StatusErrors. */
export type ApplyPatch = (kind: PatchKind, live: ApiObject, patch: Buffer, request: ApiRequest) => unknown;

export interface PatchContext extends WriteContext {
  readonly applyPatch: ApplyPatch;
  /** Reads an apply configuration: YAML, JSON or CBOR. */
  readonly parseConfiguration: (body: Buffer, kind: PatchKind) => unknown;
}

const PATCH_KINDS: Readonly<Record<string, PatchKind>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply-yaml",
  "application/apply-patch+cbor": "apply-cbor",
};

/** PATCH of an object or of a part of it: three ways to describe a change, and apply. */
export function patchHandler(context: PatchContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const kind = patchKindOf(request.contentType);
    const isApply = kind === "apply-yaml" || kind === "apply-cbor";
    const query = readWriteQuery(request.query, "PatchOptions", request.resource.metaGroup, isApply);
    const write = writeRequest(request, query);
    const body = await request.body();
    const change = isApply
      ? applyChange(request, write, query, body, kind, context)
      : patchChange(request, write, query, body, kind, context);
    const { live, created } = await updateObject(
      write,
      { name: request.info.name, createIfAbsent: isApply && request.subresource === undefined, change },
      context,
    );
    return liveAnswer(request.resource, created ? 201 : 200, live);
  };
}

export function patchKindOf(contentType: string): PatchKind {
  const kind = Object.hasOwn(PATCH_KINDS, contentType) ? PATCH_KINDS[contentType] : undefined;
  if (kind === undefined) {
    throw failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  return kind;
}

function patchChange(
  request: ApiRequest,
  write: WriteRequest,
  query: WriteQuery,
  body: Buffer,
  kind: PatchKind,
  context: PatchContext,
): (live: ApiObject | undefined) => ApiObject {
  const { resource } = request;
  const expected = expectedType(resource, context);
  return (live) => {
    const current = resource.fromStored(live as ApiObject);
    const patched = context.applyPatch(kind, current, body, request);
    const shown = shownPatch(kind, body, patched, current);
    const decoded = decodePatched(
      { schema: resource.schema, kind: resource.descriptor.kind, apiVersion: resource.apiVersion },
      patched,
      query,
      request.warn,
      shown,
    );
    decoded.kind = expected.kind;
    decoded.apiVersion = resource.apiVersion;
    checkPatchedIdentity(decoded, request);
    const next = toDefaultedStored(resource, decoded);
    return context.ownership.update(write, live, next);
  };
}

/** A result that is no object of the kind is the fault of the patch. */
export function decodePatched(
  expected: { readonly schema: ServedResource["schema"]; readonly kind: string; readonly apiVersion: string },
  patched: unknown,
  query: WriteQuery,
  warn: (message: string) => void,
  shown: () => string,
): ApiObject {
  const refuse = (why: string): StatusError =>
    invalid({ group: "", kind: "" }, "", [invalidField("patch", shown(), why)]);
  const { kind, apiVersion } = (patched ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (kind !== expected.kind || apiVersion !== expected.apiVersion) {
    const scheme = "pkg/api/legacyscheme/scheme.go:30";
    throw refuse(
      `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme "${scheme}"`,
    );
  }
  const problems: string[] = [];
  let decoded: ApiObject;
  try {
    decoded = expected.schema.decode(patched, { problems });
  } catch (error) {
    throw error instanceof DecodeError ? refuse(error.message) : error;
  }
  if (query.fieldValidation === "Strict" && problems.length > 0) {
    throw refuse(`strict decoding error: ${problems.join(", ")}`);
  }
  if (query.fieldValidation === "Warn") {
    problems.forEach(warn);
  }
  return decoded;
}

/** What a message shows of a patch that makes no object: strategic ones themselves, else what came of them. */
export function shownPatch(kind: PatchKind, body: Buffer, patched: unknown, current: unknown): () => string {
  return kind === "strategic"
    ? () => goPlainText(JSON.parse(body.toString("utf8")))
    : () => showPatched(patched, current);
}

/** Patched JSON as messages quote it: what the patch touched is sorted, the rest stands as it was. */
function showPatched(patched: unknown, original: unknown): string {
  if (patched instanceof FloatLiteral) {
    return patched.text;
  }
  if (patched === original || typeof patched !== "object" || patched === null || Array.isArray(patched)) {
    return stringifyJson(patched);
  }
  const before = (typeof original === "object" && original !== null ? original : {}) as Record<string, unknown>;
  const members = Object.entries(patched)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${showPatched(value, before[key])}`);
  return `{${members.join(",")}}`;
}

function checkPatchedIdentity(object: ApiObject, { info }: ApiRequest): void {
  checkNameInBody(object, info.name);
  checkNamespaceInBody(object, info.namespace);
}

function applyChange(
  request: ApiRequest,
  write: WriteRequest,
  query: WriteQuery,
  body: Buffer,
  kind: PatchKind,
  context: PatchContext,
): (live: ApiObject | undefined) => ApiObject {
  const { resource } = request;
  const configuration = context.parseConfiguration(body, kind) as ApiObject;
  return (live) => {
    const merged = context.ownership.apply(write, live, configuration, query.force === true);
    if (merged === live) {
      return merged;
    }
    if (live === undefined) {
      checkPatchedIdentity(merged, request);
    }
    const decoded = resource.stored.schema.canonicalize(merged);
    decoded.kind = resource.stored.gvk.kind;
    decoded.apiVersion = resource.stored.apiVersion;
    return toDefaultedStored(resource, resource.fromStored(decoded));
  };
}
