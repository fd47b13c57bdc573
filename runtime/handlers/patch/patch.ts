import type { ApiObject } from "../../contract/api-object.ts";
import { toDefaultedStored } from "../../kinds/apply-defaults.ts";
import { inTurns, rest, restAfter } from "../../lib/in-turns.ts";
import { keepsStatus } from "../../resource/prepare.ts";
import { type UpdateParameters, updateObject } from "../../resource/update-object.ts";
import type { WriteRequest } from "../../resource/write-request.ts";
import { type Answer, liveAnswer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { notePatch } from "../note-request.ts";
import { readWriteQuery, type WriteQuery } from "../query-options.ts";
import { checkIdentity, expectedType, type WriteContext, writeRequest } from "../write-context.ts";
import { applyChange } from "./apply-change.ts";
import { applyLargePatch, applyPatch, type PatchReading, parseConfiguration, patchKindOf } from "./apply-patch.ts";
import { decodePatched, decodePatchedSteps } from "./patched-object.ts";

/** PATCH of an object or a subresource: JSON patch, merge patch, strategic merge patch and apply. */
export function patchHandler(context: WriteContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource } = request;
    const kind = patchKindOf(request.contentType);
    const isApply = kind === "apply-yaml" || kind === "apply-cbor";
    const query = readWriteQuery(request.query, "PatchOptions", resource.metaGroup, isApply);
    const body = await request.body();
    notePatch(request, body, kind);
    const began = performance.now();
    const applied = isApply ? parseConfiguration(body, kind) : undefined;
    const resting = restAfter(began);
    if (resting !== undefined) await resting;
    const write = writeRequest(request, query, isApply ? "apply" : "patch");
    const change =
      applied === undefined
        ? patchChange(
            request,
            write,
            query,
            { kind, body, resource, looksClosely: query.fieldValidation !== "Ignore" },
            context,
          )
        : applyChange(request, write, query, applied, context);
    const { live, created } = await updateObject(
      write,
      { name: request.info.name, createIfAbsent: isApply && appliesToAbsent(request), change },
      context,
    );
    return liveAnswer(resource, created ? 201 : 200, live);
  };
}

/** Whether an apply creates a missing object. Most subresources do not. */
function appliesToAbsent({ resource, subresource }: ApiRequest): boolean {
  if (subresource === undefined) return true;
  return (
    subresource.name === "status" &&
    (resource.descriptor.createOnUpdate || resource.hooks.compatibility?.createdByStatus === true)
  );
}

function patchChange(
  request: ApiRequest,
  write: WriteRequest,
  query: WriteQuery,
  reading: PatchReading,
  context: WriteContext,
): UpdateParameters["change"] {
  const { resource } = request;
  const expected = expectedType(resource, context);
  const target = {
    ...expected,
    apiVersion: resource.apiVersion,
    versions: resource.descriptor.custom?.versions,
    isPart: request.subresource !== undefined,
    // A converted object is a different one, so its status cannot be compared by identity.
    keepsStatus: resource.isStoredVersion && keepsStatus(resource.stored, request.subresource?.name),
  };
  const report = { level: query.fieldValidation, warn: request.warn };
  return async (live, liveIsLarge) => {
    const isLarge = liveIsLarge || write.isLarge;
    const current = resource.fromStored(live as ApiObject);
    if (isLarge) await rest();
    const outcome = isLarge ? await applyLargePatch(reading, current) : applyPatch(reading, current);
    if (isLarge) await rest();
    const decoded = isLarge
      ? await inTurns(decodePatchedSteps(outcome, target, report))
      : decodePatched(outcome, target, report);
    decoded.kind = expected.kind;
    decoded.apiVersion = resource.apiVersion;
    checkIdentity(decoded, request.info);
    const next = toDefaultedStored(resource, decoded, context);
    if (isLarge) await rest();
    return context.ownership.update(write, live, next, isLarge);
  };
}
