import { isUtf8 } from "node:buffer";
import {
  type AuthenticationResult,
  type Credentials,
  CredentialsError,
  type RequestAuthenticator,
  type TokenAuthenticator,
} from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import { joinRefusals } from "./join-refusals.ts";

const INVALID = "invalid bearer token";
const EXTRA_SPACE = "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** Calls several token authenticators in order. The first that accepts the token decides; if none does, throws all errors joined. */
export function joinTokenAuthenticators(members: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    async authenticateToken(token, audiences) {
      const problems: CredentialsError[] = [];
      for (const member of members)
        try {
          const result = await member.authenticateToken(token, audiences);
          if (result !== undefined) return result;
        } catch (error) {
          if (!(error instanceof CredentialsError)) throw error;
          problems.push(error);
        }
      if (problems.length > 0) throw joinRefusals(problems);
      return undefined;
    },
  };
}

/** Maximum token length. Longer tokens are rejected before they are parsed, hashed or sent to a webhook. */
const MAX_TOKEN_LENGTH = 64 * 1024;
/** Maximum length of the WebSocket protocols that are parsed for a token. Base64 makes a token longer by a third. */
const MAX_PROTOCOLS_LENGTH = 2 * MAX_TOKEN_LENGTH;

/** Authenticates a token. Throws `invalid bearer token`, with the reasons, if no authenticator accepts it. */
export async function authenticateBearer(
  tokens: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
): Promise<AuthenticationResult> {
  if (token.length > MAX_TOKEN_LENGTH) throw new CredentialsError(INVALID);
  try {
    const result = await tokens.authenticateToken(token, audiences);
    if (result !== undefined) return result;
  } catch (error) {
    if (error instanceof CredentialsError) throw joinRefusals([new CredentialsError(INVALID), error]);
    throw error;
  }
  throw new CredentialsError(INVALID);
}

/**
 * Authenticates the token of an `Authorization: Bearer` header. If it is absent or rejected, authenticates the token in a WebSocket protocol, as
 * browsers cannot set the header. `audiences` are those of this server.
 */
export function createBearerAuthenticators(
  naming: Naming,
  tokens: TokenAuthenticator,
  audiences: readonly string[],
): readonly RequestAuthenticator[] {
  const protocol = `base64url.bearer.${naming.group("authorization")}.`;
  return [tokenOf, (credentials: Credentials) => webSocketTokenOf(credentials, protocol)].map((read) => ({
    authenticate(credentials) {
      const token = read(credentials);
      return token === undefined ? undefined : authenticateBearer(tokens, token, audiences);
    },
  }));
}

function tokenOf(credentials: Credentials): string | undefined {
  const [scheme = "", token = "", rest] = (credentials.header("authorization")[0] ?? "").trim().split(" ", 3);
  if (scheme.toLowerCase() !== "bearer") return undefined;
  if (token === "" && rest !== undefined) credentials.warn(EXTRA_SPACE);
  return token === "" ? undefined : token;
}

/** Returns the token in a WebSocket protocol, if any. Throws a CredentialsError if it is malformed. */
function webSocketTokenOf(credentials: Credentials, prefix: string): string | undefined {
  const [upgrade = ""] = credentials.header("upgrade");
  const options = (credentials.header("connection")[0] ?? "").toLowerCase().split(",");
  if (upgrade.toLowerCase() !== "websocket" || !options.some((option) => option.trim() === "upgrade")) return undefined;
  const lines = credentials.header("sec-websocket-protocol");
  if (!lines.some((line) => line.includes(prefix))) return undefined;
  if (lines.join().length > MAX_PROTOCOLS_LENGTH) throw new CredentialsError(INVALID);
  const protocols = lines.flatMap((line) => line.split(",")).map((protocol) => protocol.trim());
  const carriers = protocols.filter((protocol) => protocol.startsWith(prefix));
  const [carrier] = carriers;
  if (carrier === undefined) return undefined;
  if (carriers.length > 1) throw new CredentialsError("multiple base64.bearer.authorization tokens specified");
  const encoded = carrier.slice(prefix.length);
  const bytes = Buffer.from(encoded, "base64url");
  if (bytes.toString("base64url") !== encoded)
    throw new CredentialsError("invalid base64.bearer.authorization token encoding");
  if (!isUtf8(bytes)) throw new CredentialsError("invalid base64.bearer.authorization token");
  // The response must select a protocol, which must not be the one that contains the token.
  if (bytes.length > 0 && protocols.length === 1) throw new CredentialsError("missing additional subprotocol");
  return bytes.length === 0 ? undefined : bytes.toString("utf8");
}
