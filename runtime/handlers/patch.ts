import type { ApiObject } from "../contract/api-object.ts";
import { updateObject } from "../resource/update-object.ts";
import type { WriteRequest } from "../resource/write-request.ts";
import { failure } from "../values/status-errors.ts";
import { type Answer, liveAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { applyChange } from "./apply-change.ts";
import { notePatch } from "./note-request.ts";
import { decodePatched, type PatchOutcome } from "./patched-object.ts";
import { readWriteQuery, type WriteQuery } from "./query-options.ts";
import { checkIdentity, expectedType, toDefaultedStored, type WriteContext, writeRequest } from "./write-context.ts";

export type PatchKind = "json" | "merge" | "strategic" | "apply-yaml" | "apply-cbor";

/** Applies one kind of patch to an object of the request's version; pure. Throws StatusErrors. */
export type ApplyPatch = (
  kind: PatchKind,
  live: ApiObject,
  patch: Buffer,
  request: ApiRequest,
  query: Pick<WriteQuery, "fieldValidation">,
) => PatchOutcome;

export interface PatchContext extends WriteContext {
  readonly applyPatch: ApplyPatch;
  /** Reads an apply configuration: YAML, JSON or CBOR. */
  readonly parseConfiguration: (body: Buffer, kind: PatchKind) => AppliedConfiguration;
}

export interface AppliedConfiguration {
  readonly configuration: ApiObject;
  /** What strict reading complains of: keys set twice. */
  readonly problems: readonly string[];
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
    const body = await request.body();
    notePatch(request, body, kind, context);
    const applied = isApply ? context.parseConfiguration(body, kind) : undefined;
    const write = writeRequest(request, query);
    const change =
      applied === undefined
        ? patchChange(request, write, query, body, kind, context)
        : applyChange(request, write, query, applied, context);
    const { live, created } = await updateObject(
      write,
      { name: request.info.name, createIfAbsent: isApply && appliesToAbsent(request), change },
      context,
    );
    return liveAnswer(request.resource, created ? 201 : 200, live);
  };
}

/** What is applied is created, except through most subresources. */
function appliesToAbsent({ resource, subresource }: ApiRequest): boolean {
  if (subresource === undefined) return true;
  return (
    subresource.name === "status" && (resource.descriptor.createOnUpdate || resource.hooks.createdByStatus === true)
  );
}

export function patchKindOf(contentType: string, speaksCbor = true): PatchKind {
  const kind = Object.hasOwn(PATCH_KINDS, contentType) ? PATCH_KINDS[contentType] : undefined;
  if (kind === undefined || (kind === "apply-cbor" && !speaksCbor)) {
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
  const target = {
    ...expected,
    apiVersion: resource.apiVersion,
    versions: resource.descriptor.custom?.versions,
    isPart: request.subresource !== undefined,
  };
  return (live) => {
    const current = resource.fromStored(live as ApiObject);
    const outcome = context.applyPatch(kind, current, body, request, query);
    const decoded = decodePatched(outcome, target, query, request.warn);
    decoded.kind = expected.kind;
    decoded.apiVersion = resource.apiVersion;
    checkIdentity(decoded, request.info);
    const next = toDefaultedStored(resource, decoded, context);
    return context.ownership.update(write, live, next);
  };
}
