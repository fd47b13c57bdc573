import { CredentialsError, type TokenAuthenticator } from "../../contract/authentication.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import { badRequest } from "../../values/status-errors.ts";
import { formatTime } from "../../values/times.ts";
import { authenticateBearer } from "../authenticate/bearer-token.ts";
import { asAuthenticated } from "../authenticate/request-authenticator.ts";
import { commonAudiences } from "../authenticate/server-audiences.ts";

/** Authenticates a token for servers that delegate authentication to this one. */
export function createTokenReview(parts: {
  readonly tokens: TokenAuthenticator;
  readonly audiences: readonly string[];
}): VirtualKind {
  return async ({ object, admit }) => {
    const spec = (object.spec ?? {}) as { token?: string; audiences?: string[] };
    if (!spec.token) throw badRequest("token is required for TokenReview in authentication");
    await admit(object);
    const wanted = spec.audiences?.length ? spec.audiences : parts.audiences;
    try {
      const { user, audiences = [] } = await authenticateBearer(parts.tokens, spec.token, wanted);
      const common = commonAudiences(audiences, wanted);
      const status = { authenticated: true, user: describeUser(asAuthenticated(user)), audiences: common };
      return { ...object, status };
    } catch (error) {
      if (!(error instanceof CredentialsError)) throw error;
      const { authenticated: _claimed, ...given } = (object.status ?? {}) as { authenticated?: boolean };
      return { ...object, status: { user: {}, ...given, error: error.message } };
    }
  };
}

/** Returns the user of the request as authenticated. */
export function createSelfSubjectReview(parts: { readonly now: () => Date }): VirtualKind {
  return async ({ object, user, admit }) => {
    await admit(object);
    const { apiVersion, kind } = object;
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: { creationTimestamp: formatTime(parts.now()) },
      status: { userInfo: describeUser(user) },
    };
  };
}

function describeUser({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    ...(name !== "" && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}
