import type { KeyObject } from "node:crypto";
import type { Naming } from "../../contract/naming.ts";
import { serviceAccountUser } from "../authorize/rbac-objects.ts";
import { verificationKey } from "./service-account-keys.ts";
import type { BoundClaims } from "./token-claims.ts";

export interface TokenOrder {
  readonly bound: BoundClaims;
  readonly audiences: readonly string[];
  readonly issuedAt: Date;
  readonly lifetimeSeconds: number;
}

/** Signs service account tokens. The key may still be under creation when the server starts. */
export class ServiceAccountIssuer {
  readonly issuer: string;
  readonly #naming: Naming;
  readonly #key: () => Promise<KeyObject>;
  readonly #newId: () => string;

  constructor(parts: { naming: Naming; issuer: string; key: () => Promise<KeyObject>; newId: () => string }) {
    this.issuer = parts.issuer;
    this.#naming = parts.naming;
    this.#key = parts.key;
    this.#newId = parts.newId;
  }

  async issue(order: TokenOrder): Promise<{ token: string; id: string }> {
    const [key, { SignJWT }] = await Promise.all([this.#key(), import("jose")]);
    const { id: kid, algorithm: alg } = verificationKey(key);
    const { namespace, serviceaccount } = order.bound;
    const issued = Math.floor(order.issuedAt.getTime() / 1000);
    const id = this.#newId();
    const claims = {
      aud: [...order.audiences],
      exp: issued + order.lifetimeSeconds,
      iat: issued,
      iss: this.issuer,
      jti: id,
      [`${this.#naming.vendor}.io`]: order.bound,
      nbf: issued,
      sub: serviceAccountUser(namespace, serviceaccount.name),
    };
    return { token: await new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key), id };
  }
}
