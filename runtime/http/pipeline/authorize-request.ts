import { refuseAccess } from "../../auth/authorize/refuse-access.ts";
import type { AccessAttributes, AccessDecision, Authorizer, ResourceAccess } from "../../contract/authorization.ts";
import type { ResourceRequestInfo } from "../../contract/request-info.ts";
import { EarlyFailure } from "../../contract/status.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { AppContext } from "./app-state.ts";

/** Keys of the audit annotations about a decision. */
export interface DecisionKeys {
  readonly decision: string;
  readonly reason: string;
}

/** Authorizes the user of a request. Throws 403 if it is denied, 500 if no authorizer could decide. */
export function authorizeRequest(authorizer: Authorizer, withSelectors: boolean, keys: DecisionKeys) {
  return (ctx: AppContext): Promise<void> | undefined => {
    const attributes = accessAttributes(ctx, ctx.state.user, withSelectors);
    const decided = authorizer.authorize(attributes);
    if (decided instanceof Promise) return decided.then((decision) => conclude(ctx, attributes, decision, keys));
    conclude(ctx, attributes, decided, keys);
    return undefined;
  };
}

function conclude(
  ctx: AppContext,
  attributes: AccessAttributes,
  { decision, reason, error }: AccessDecision,
  keys: DecisionKeys,
): void {
  const { trail } = ctx.state;
  const isAllowed = decision === "allow";
  if (!isAllowed && error !== undefined) {
    trail?.annotate(keys.reason, "internal error");
    throw new EarlyFailure(String(error));
  }
  trail?.annotate(keys.decision, isAllowed ? "allow" : "forbid");
  trail?.annotate(keys.reason, reason);
  if (isAllowed) return;
  ctx.set("X-Content-Type-Options", "nosniff");
  throw refuseAccess(attributes, reason);
}

/** `withSelectors`: the attributes include the selectors of a collection request. */
export function accessAttributes(ctx: AppContext, user: UserInfo, withSelectors: boolean): AccessAttributes {
  const { info } = ctx.state;
  if (!info.isResource) {
    return { user, verb: info.verb, path: info.path };
  }
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return {
    user,
    verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    ...(withSelectors && requirements(info)),
  };
}

/**
 * The selectors of a collection request. A selector that cannot be parsed is omitted here and rejected later. If the verb is a prefix of
 * the path, selectors are ignored, as in Kubernetes.
 */
function requirements({ verbInPath, selectors }: ResourceRequestInfo): Partial<ResourceAccess> {
  if (verbInPath) return {};
  const fieldSelector = selectors.fieldSelector?.requirements;
  const labelSelector = selectors.labelSelector?.requirements;
  return {
    ...(fieldSelector !== undefined && fieldSelector.length > 0 && { fieldSelector }),
    ...(labelSelector !== undefined && labelSelector.length > 0 && { labelSelector }),
  };
}
