import { type AccessAttributes, isResourceAccess } from "../../contract/authorization.ts";
import type { StatusError } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";
import { failure, forbidden } from "../../values/status-errors.ts";

/** Returns the 403 Status for a request that no authorizer allowed: user, verb and resource, then the reasons of the authorizers, if any. */
export function refuseAccess(asked: AccessAttributes, reason: string): StatusError {
  const what = describeAccess(asked);
  const why = reason === "" ? what : `${what}: ${reason}`;
  if (!isResourceAccess(asked)) return failure(403, "Forbidden", `forbidden: ${why}`, {});
  return forbidden({ group: asked.group, resource: asked.resource }, asked.name, why);
}

function describeAccess(asked: AccessAttributes): string {
  const who = `User ${goQuote(asked.user.name)} cannot ${asked.verb}`;
  if (!isResourceAccess(asked)) return `${who} path ${goQuote(asked.path)}`;
  const resource = asked.subresource === "" ? asked.resource : `${asked.resource}/${asked.subresource}`;
  const where = asked.namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(asked.namespace)}`;
  return `${who} resource ${goQuote(resource)} in API group ${goQuote(asked.group)} ${where}`;
}
