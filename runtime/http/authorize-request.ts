import { refuseAccess } from "../auth/authorize/refuse-access.ts";
import type { AccessAttributes, AccessDecision, Authorizer, ResourceAccess } from "../contract/authorization.ts";
import { EarlyFailure } from "../contract/status.ts";
import type { UserInfo } from "../contract/user-info.ts";
import { parseFieldSelector } from "../lib/field-selector.ts";
import { parseLabelSelector, SelectorSyntaxError } from "../lib/label-selector.ts";
import type { AppContext } from "./app-state.ts";

/** Keys of the notes that the audit trail gets about a decision. */
export interface DecisionKeys {
  readonly decision: string;
  readonly reason: string;
}

/** Whether the user of a request may do what it asks for; throws 403 when not, 500 when nobody can tell. */
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
  if (trail !== undefined) {
    trail.annotate(keys.decision, decision === "allow" ? "allow" : "forbid");
    trail.annotate(keys.reason, reason);
  }
  if (decision !== "allow") {
    if (error !== undefined) {
      throw new EarlyFailure(String(error));
    }
    ctx.set("X-Content-Type-Options", "nosniff");
    throw refuseAccess(attributes, reason);
  }
}

/** `withSelectors`: authorizers also learn what a collection request narrows itself to. */
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
    ...(withSelectors && selectors(ctx, verb)),
  };
}

/** What a collection request narrows itself to; what cannot be read narrows nothing, and is refused later. */
function selectors(ctx: AppContext, verb: string): Pick<ResourceAccess, "fieldSelector" | "labelSelector"> {
  if (!["list", "watch", "deletecollection"].includes(verb) || !ctx.querystring.includes("Selector=")) {
    return {};
  }
  const query = new URLSearchParams(ctx.querystring);
  const fieldSelector = readSelector(query.get("fieldSelector"), parseFieldSelector);
  const labelSelector = readSelector(query.get("labelSelector"), parseLabelSelector);
  return {
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
}

function readSelector<T>(text: string | null, parse: (text: string) => T): T | undefined {
  try {
    return text === null ? undefined : parse(text);
  } catch (error) {
    if (error instanceof SelectorSyntaxError) {
      return undefined;
    }
    throw error;
  }
}
