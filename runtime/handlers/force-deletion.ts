import type { Authorizer } from "../contract/authorization.ts";
import type { DeleteOptions } from "../resource/delete-options.ts";
import { invalidField } from "../values/field-errors.ts";
import { forbidden, invalid } from "../values/status-errors.ts";
import type { ApiRequest } from "./api-request.ts";

/** A separate verb for authorization: permission to `delete` does not include objects that cannot be read. */
const VERB = "unsafe-delete-ignore-read-errors";
const OPTION = "ignoreStoreReadErrorWithClusterBreakingPotential";

/** The effective options. The option that forces deletion is ignored while its feature gate is disabled. */
export function settleForce(options: DeleteOptions, isOpen: boolean): DeleteOptions {
  if (isOpen || options[OPTION] === undefined) return options;
  const { [OPTION]: _, ...rest } = options;
  return rest;
}

/** Annotates the audit event and authorizes the user before an object is deleted by force. Throws 403. */
export async function authorizeForce(
  { resource, info, user, annotate }: ApiRequest,
  options: DeleteOptions,
  authorizer: Authorizer,
): Promise<void> {
  if (options[OPTION] !== true) return;
  annotate(`${resource.metaGroup.replace(/^meta\b/, "apiserver")}/unsafe-delete-ignore-read-error`, "");
  const { group, version, resource: plural } = resource.descriptor;
  const asked = { group, version, resource: plural, subresource: "", namespace: info.namespace, name: info.name };
  const { decision, reason } = await authorizer.authorize({ user, verb: VERB, ...asked });
  if (decision !== "allow") {
    const problem = `not permitted to do "${VERB}", reason: ${reason}`;
    throw forbidden(resource.groupResource, info.name, problem);
  }
}

/** Rejects the option for DELETE of a collection. Throws 422. */
export function refuseForce({ resource }: ApiRequest, options: DeleteOptions): void {
  if (options[OPTION] !== true) return;
  const problem = "is not allowed with DELETECOLLECTION, try again after removing the option";
  throw invalid({ group: resource.metaGroup, kind: "DeleteOptions" }, "", [invalidField(OPTION, true, problem)]);
}
