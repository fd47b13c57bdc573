import {
  type AuthenticationResult,
  type Credentials,
  CredentialsError,
  type RequestAuthenticator,
  type TokenAuthenticator,
} from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import { aggregateMessages } from "../authorize/aggregate-messages.ts";

const INVALID = "invalid bearer token";
const EXTRA_SPACE = "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** Asks several token authenticators in order; the first that accepts wins, all complaints are put together. */
export function joinTokenAuthenticators(members: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    async authenticateToken(token, audiences) {
      const problems: string[] = [];
      for (const member of members)
        try {
          const result = await member.authenticateToken(token, audiences);
          if (result !== undefined) return result;
        } catch (error) {
          if (!(error instanceof CredentialsError)) throw error;
          problems.push(error.message);
        }
      if (problems.length > 0) throw new CredentialsError(aggregateMessages(problems));
      return undefined;
    },
  };
}

/** Checks one token; throws `invalid bearer token`, with the reasons that were found, for one nobody accepts. */
export async function authenticateBearer(
  tokens: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
): Promise<AuthenticationResult> {
  try {
    const result = await tokens.authenticateToken(token, audiences);
    if (result !== undefined) return result;
  } catch (error) {
    if (error instanceof CredentialsError) throw new CredentialsError(aggregateMessages([INVALID, error.message]));
    throw error;
  }
  throw new CredentialsError(INVALID);
}

/**
 * The token of an `Authorization: Bearer` header, or of a WebSocket protocol, where browsers can set no header.
 * `audiences` are the server's own.
 */
export function createBearerAuthenticator(
  naming: Naming,
  tokens: TokenAuthenticator,
  audiences: readonly string[],
): RequestAuthenticator {
  const protocol = `base64url.bearer.${naming.group("authorization")}.`;
  return {
    authenticate(credentials) {
      const token = tokenOf(credentials) ?? webSocketTokenOf(credentials, protocol);
      return token === undefined ? undefined : authenticateBearer(tokens, token, audiences);
    },
  };
}

function tokenOf(credentials: Credentials): string | undefined {
  const [scheme = "", token = "", rest] = (credentials.header("authorization")[0] ?? "").trim().split(" ", 3);
  if (scheme.toLowerCase() !== "bearer") return undefined;
  if (token === "" && rest !== undefined) credentials.warn(EXTRA_SPACE);
  return token === "" ? undefined : token;
}

function webSocketTokenOf(credentials: Credentials, prefix: string): string | undefined {
  if (credentials.header("upgrade")[0]?.toLowerCase() !== "websocket") return undefined;
  const protocols = credentials.header("sec-websocket-protocol").flatMap((line) => line.split(","));
  const carrier = protocols.map((text) => text.trim()).find((text) => text.startsWith(prefix));
  return carrier === undefined ? undefined : Buffer.from(carrier.slice(prefix.length), "base64url").toString("utf8");
}
