import { refuseAccess } from "../auth/authorize/refuse-access.ts";
import type { AccessAttributes, Authorizer } from "../contract/authorization.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { AppContext } from "./app-state.ts";

/** Whether the user of a request may do what it asks for; throws 403 when not. */
export function authorizeRequest(authorizer: Authorizer) {
  return async (ctx: AppContext): Promise<void> => {
    const attributes = accessAttributes(ctx, ctx.state.user);
    const decided = authorizer.authorize(attributes);
    const { decision, reason } = decided instanceof Promise ? await decided : decided;
    if (decision !== "allow") {
      throw refuseAccess(attributes, reason);
    }
  };
}

export function accessAttributes(ctx: AppContext, user: UserInfo): AccessAttributes {
  const { info } = ctx.state;
  if (!info.isResource) {
    return { user, verb: info.verb, path: info.path };
  }
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return {
    user,
    verb: verb === "" ? ctx.method.toLowerCase() : verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
}
