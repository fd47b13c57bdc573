import type { ApiObject } from "../../contract/api-object.ts";
import { type AuthenticationResult, CredentialsError, type TokenAuthenticator } from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { goQuoteList } from "../../go/quote.ts";
import { serviceAccountUser } from "../authorize/rbac-objects.ts";
import { commonAudiences } from "./server-audiences.ts";
import type { VerificationKey } from "./service-account-keys.ts";
import { type BoundClaims, type ObjectClaim, readClaims, readWarnAfter, type TokenClaims } from "./token-claims.ts";
import { claimsIssuer, verifyToken } from "./verify-token.ts";

/** Allowed clock skew in seconds. A deleted object is also accepted until this long after its deletionTimestamp. */
const LEEWAY = 60;

export interface ServiceAccountAuthenticatorParts {
  readonly naming: Naming;
  readonly issuers: readonly string[];
  /** Audiences of this server, used if the token or the caller specifies none. */
  readonly audiences: readonly string[];
  readonly keys: () => Promise<readonly VerificationKey[]>;
  readonly reader: ObjectReader;
  readonly now: () => Date;
}

/** Authenticates service account tokens signed by this server or by one with the same keys, while the objects they are bound to exist. */
export class ServiceAccountAuthenticator implements TokenAuthenticator {
  readonly #parts: ServiceAccountAuthenticatorParts;

  constructor(parts: ServiceAccountAuthenticatorParts) {
    this.#parts = parts;
  }

  async authenticateToken(token: string, wanted: readonly string[]): Promise<AuthenticationResult | undefined> {
    if (!claimsIssuer(token, this.#parts.issuers)) return undefined;
    const payload = await verifyToken(token, await this.#parts.keys());
    const claims = readClaims(payload);
    const audiences = this.#matchAudiences(claims, wanted);
    this.#checkTimes(claims);
    const bound = payload[`${this.#parts.naming.vendor}.io`] as BoundClaims | undefined;
    if (bound?.serviceaccount?.name === undefined)
      throw new CredentialsError("service account token claims could not be validated");
    const warnAfter = readWarnAfter(bound);
    await this.#checkAccount(bound);
    await this.#checkBinding("secret", "secrets", bound.namespace, bound.secret);
    await this.#checkBinding("pod", "pods", bound.namespace, bound.pod);
    if (bound.pod === undefined) await this.#checkBinding("node", "nodes", "", bound.node);
    const { exp } = claims;
    const expires = exp === undefined ? undefined : (exp + LEEWAY) * 1000;
    return {
      user: this.#user(bound, claims.jti),
      audiences,
      ...(expires !== undefined && { expires }),
      annotations: this.#annotations(claims, warnAfter),
    };
  }

  #annotations({ sub = "", aud }: TokenClaims, warnAfter = 0): Record<string, string> {
    const group = this.#parts.naming.group("authentication");
    const now = this.#parts.now().getTime() / 1000;
    const late = Math.floor(now) - Math.floor(warnAfter);
    return {
      ...(aud.length === 0 && { [`${group}/legacy-token`]: sub }),
      ...(warnAfter !== 0 &&
        now > warnAfter && { [`${group}/stale-token`]: `subject: ${sub}, seconds after warning threshold: ${late}` }),
    };
  }

  #matchAudiences({ aud }: TokenClaims, wanted: readonly string[]): readonly string[] {
    const own = this.#parts.audiences;
    const named = aud.length === 0 ? own : aud;
    const target = wanted.length === 0 ? own : wanted;
    const common = commonAudiences(named, target);
    if (common.length === 0 && own.length > 0)
      throw new CredentialsError(
        `token audiences ${goQuoteList(named)} is invalid for the target audiences ${goQuoteList(target)}`,
      );
    return common;
  }

  #checkTimes({ nbf, exp, iat }: TokenClaims): void {
    const now = this.#parts.now().getTime() / 1000;
    if (nbf !== undefined && now + LEEWAY < nbf) throw new CredentialsError("service account token is not valid yet");
    if (exp !== undefined && now - LEEWAY > exp) throw new CredentialsError("service account token has expired");
    if (iat !== undefined && now + LEEWAY < iat)
      throw new CredentialsError("service account token is issued in the future");
  }

  async #checkAccount({ namespace, serviceaccount }: BoundClaims): Promise<void> {
    const { name, uid } = serviceaccount;
    const account = await this.#parts.reader.get({ group: "", resource: "serviceaccounts" }, namespace, name);
    if (account === undefined) throw new CredentialsError(`serviceaccounts "${name}" not found`);
    if (account.metadata.uid !== uid)
      throw new CredentialsError(`service account UID (${account.metadata.uid}) does not match claim (${uid})`);
    if (this.#isLongDeleted(account))
      throw new CredentialsError(`service account ${namespace}/${name} has been deleted`);
  }

  async #checkBinding(word: string, resource: string, namespace: string, claim: ObjectClaim | undefined) {
    if (claim === undefined) return;
    const object = await this.#parts.reader.get({ group: "", resource }, namespace, claim.name);
    if (object === undefined) throw new CredentialsError("service account token has been invalidated");
    if (object.metadata.uid !== claim.uid)
      throw new CredentialsError(
        `${word} UID (${object.metadata.uid}) does not match service account ${word} ref claim (${claim.uid})`,
      );
    if (this.#isLongDeleted(object)) throw new CredentialsError("service account token has been invalidated");
  }

  #isLongDeleted({ metadata }: ApiObject): boolean {
    if (metadata.deletionTimestamp === undefined) return false;
    return Date.parse(metadata.deletionTimestamp) < this.#parts.now().getTime() - LEEWAY * 1000;
  }

  #user({ namespace, serviceaccount, pod, node }: BoundClaims, id: string | undefined): AuthenticationResult["user"] {
    const extra: Record<string, readonly string[]> = {};
    const add = (name: string, value: string | undefined) => {
      if (value) extra[this.#parts.naming.key(name, "authentication")] = [value];
    };
    add("credential-id", id && `JTI=${id}`);
    add("node-name", node?.name);
    add("node-uid", node?.uid);
    add("pod-name", pod?.name);
    add("pod-uid", pod?.uid);
    return {
      name: serviceAccountUser(namespace, serviceaccount.name),
      ...(serviceaccount.uid !== undefined && { uid: serviceaccount.uid }),
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
      ...(Object.keys(extra).length > 0 && { extra }),
    };
  }
}
