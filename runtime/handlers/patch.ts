import type { ApiObject } from "../contract/api-object.ts";
import { conflict, failure, plainFailure } from "../contract/status.ts";
import { reportUnstrict } from "../resource/decode-object.ts";
import { updateObject } from "../resource/update-object.ts";
import type { WriteRequest } from "../resource/write-request.ts";
import { DecodeError } from "../schema/schema-errors.ts";
import { type Answer, liveAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { notePatch } from "./note-request.ts";
import { decodePatched, type PatchOutcome } from "./patched-object.ts";
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
  return (live) => {
    const current = resource.fromStored(live as ApiObject);
    const outcome = context.applyPatch(kind, current, body, request, query);
    const decoded = decodePatched(outcome, { ...expected, apiVersion: resource.apiVersion }, query, request.warn);
    decoded.kind = expected.kind;
    decoded.apiVersion = resource.apiVersion;
    checkPatchedIdentity(decoded, request);
    const next = toDefaultedStored(resource, decoded, context);
    return context.ownership.update(write, live, next);
  };
}

function checkPatchedIdentity(object: ApiObject, { info }: ApiRequest): void {
  checkNamespaceInBody(object, info.namespace);
  checkNameInBody(object, info.name);
}

function applyChange(
  request: ApiRequest,
  write: WriteRequest,
  query: WriteQuery,
  { configuration, problems }: AppliedConfiguration,
  context: PatchContext,
): (live: ApiObject | undefined) => ApiObject {
  const { resource } = request;
  return (live) => {
    const merged = restoring(configuration, () =>
      context.ownership.apply(write, live, configuration, query.force === true),
    );
    reportUnstrict(problems, query.fieldValidation, request.warn);
    if (merged === live) {
      return merged;
    }
    checkNameInBody(merged, request.info.name);
    if (live === undefined) {
      checkNoUid(merged, request);
      checkNamespaceInBody(merged, request.info.namespace);
    }
    const decoded = restoring(configuration, () =>
      resource.stored.schema.canonicalize(merged, { given: true, restores: true }),
    );
    decoded.kind = resource.stored.gvk.kind;
    decoded.apiVersion = resource.stored.apiVersion;
    return toDefaultedStored(resource, resource.fromStored(decoded), context);
  };
}

/** Who names a uid means an object that was there. */
function checkNoUid({ metadata: { uid = "" } }: ApiObject, { resource, info }: ApiRequest): void {
  if (uid !== "") {
    const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource.groupResource, info.name, problem);
  }
}

/** Makes an object of what was merged. Its parts may be of the right types and still make none, as amounts do. */
function restoring<T>(configuration: ApiObject, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { apiVersion = "", kind = "", metadata } = configuration;
    const type = `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
    const named = `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}; ${type}`;
    const why = `unable to convert unstructured object to ${type}: ${error.restoring}`;
    throw plainFailure(`failed to convert new object (${named}) to proper version: ${why}`);
  }
}
