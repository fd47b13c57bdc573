import type { ApiObject } from "../../contract/api-object.ts";
import { toDefaultedStored } from "../../kinds/apply-defaults.ts";
import { withMeta } from "../../kinds/change-meta.ts";
import { inTurns, restAfter } from "../../lib/in-turns.ts";
import { reportUnstrict } from "../../resource/decode-object.ts";
import { limitObjectsSteps } from "../../resource/limit-objects.ts";
import type { UpdateParameters } from "../../resource/update-object.ts";
import type { WriteRequest } from "../../resource/write-request.ts";
import { DecodeError } from "../../schema/schema-errors.ts";
import { conflict, plainFailure } from "../../values/status-errors.ts";
import { isTime } from "../../values/times.ts";
import type { ApiRequest } from "../api-request.ts";
import type { WriteQuery } from "../query-options.ts";
import { checkIdentity, type WriteContext } from "../write-context.ts";
import type { AppliedConfiguration } from "./apply-patch.ts";
import { refuseFields } from "./wrong-patch.ts";

/** Returns a change that merges a configuration into an object, in the version of the request. Only the result is validated against the request. */
export function applyChange(
  request: ApiRequest,
  write: WriteRequest,
  query: WriteQuery,
  { configuration, problems }: AppliedConfiguration,
  context: WriteContext,
): UpdateParameters["change"] {
  const { resource } = request;
  return async (live, liveIsLarge) => {
    const isLarge = liveIsLarge || write.isLarge;
    if (isLarge && resource.descriptor.custom === undefined) await inTurns(limitObjectsSteps(configuration));
    const began = performance.now();
    const current = live && resource.fromStored(live);
    const merged = await restoring(configuration, resource.descriptor, () =>
      context.ownership.apply(write, current, configuration, query.force === true, isLarge),
    );
    if (live !== undefined && current !== undefined && changesOwnersOnly(merged, current)) {
      reportUnstrict(problems, query.fieldValidation, request.warn);
      return resource.isStoredVersion ? merged : withMeta(live, { managedFields: merged.metadata.managedFields });
    }
    const rest = restAfter(began);
    if (rest !== undefined) await rest;
    if (resource.descriptor.custom !== undefined) dropUnreadable(merged);
    const decoded = await restoring(configuration, resource.descriptor, () =>
      isLarge && resource.schema.canonicalizeSteps !== undefined
        ? inTurns(resource.schema.canonicalizeSteps(merged, { given: true, restores: true }))
        : resource.schema.canonicalize(merged, { given: true, restores: true }),
    );
    decoded.kind = resource.descriptor.kind;
    decoded.apiVersion = resource.apiVersion;
    checkConvertible(decoded, configuration, request);
    reportUnstrict(problems, query.fieldValidation, request.warn);
    if (live === undefined) checkNoUid(decoded, request);
    checkIdentity(decoded, request.info);
    return toDefaultedStored(resource, decoded, context);
  };
}

/** Whether only managedFields change. Defaults are then not applied, even if there are new ones. */
function changesOwnersOnly(merged: ApiObject, live: ApiObject): boolean {
  const sharesAll = (a: object, b: object, except: string) => {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    names.delete(except);
    return [...names].every((name) => a[name as keyof object] === b[name as keyof object]);
  };
  return sharesAll(merged, live, "metadata") && sharesAll(merged.metadata ?? {}, live.metadata, "managedFields");
}

/** Throws a conflict if an apply that creates an object contains a uid. */
function checkNoUid({ metadata: { uid = "" } }: ApiObject, { resource, info }: ApiRequest): void {
  if (uid !== "") {
    const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource.groupResource, info.name, problem);
  }
}

/**
 * Removes fields of a custom object's metadata that are not valid integers or times. Kubernetes does not decode them here, and resets them
 * later.
 */
function dropUnreadable({ metadata }: ApiObject): void {
  for (const name of ["generation", "deletionGracePeriodSeconds"] as const) {
    const value: unknown = metadata?.[name];
    if (typeof value === "number" && !Number.isInteger(value)) delete metadata[name];
  }
  for (const name of ["creationTimestamp", "deletionTimestamp"] as const) {
    const value: unknown = metadata?.[name];
    if (typeof value === "string" && !isTime(value)) delete metadata[name];
  }
}

function checkConvertible(decoded: ApiObject, configuration: ApiObject, { resource }: ApiRequest): void {
  const problem = resource.hooks.compatibility?.unconvertible?.(decoded);
  if (problem === undefined) return;
  const { named } = describeConfiguration(configuration);
  throw plainFailure(`failed to convert to unversioned (${named}): ${problem}`);
}

/** How messages name an apply configuration and its type. */
function describeConfiguration({ apiVersion = "", kind = "", metadata }: ApiObject): { named: string; type: string } {
  const type = `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
  return { type, named: `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}; ${type}` };
}

/**
 * Translates errors of decoding the merged object, which is of this type. Values of the right type can still be invalid, such as quantities. For
 * the project's own kinds the error is the client's, as for kinds of CustomResourceDefinitions; for others it is 500, as in Kubernetes.
 */
export async function restoring<T>(
  configuration: ApiObject,
  merged: { readonly group: string; readonly kind: string },
  make: () => T | Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.fields.length > 0) throw refuseFields(error.fields, merged, configuration.metadata?.name ?? "");
    const { named, type } = describeConfiguration(configuration);
    const why = `unable to convert unstructured object to ${type}: ${error.restoring}`;
    throw plainFailure(`failed to convert new object (${named}) to proper version: ${why}`);
  }
}
