import type { ApiObject } from "../../contract/api-object.ts";
import { type AuthenticationResult, CredentialsError, type TokenAuthenticator } from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../../contract/object-access.ts";
import { goQuoteList } from "../../go/quote.ts";
import { formatDay } from "../../values/times.ts";
import { serviceAccountUser } from "../authorize/rbac-objects.ts";
import { equalSecrets } from "./equal-secrets.ts";
import { commonAudiences } from "./server-audiences.ts";
import type { VerificationKey } from "./service-account-keys.ts";
import { claimsIssuer, verifyToken } from "./verify-token.ts";

export interface SecretTokenParts {
  readonly naming: Naming;
  readonly audiences: readonly string[];
  readonly keys: () => Promise<readonly VerificationKey[]>;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly now: () => Date;
  /** `--service-account-lookup`: false checks only the signature, not whether Secret and service account exist. */
  readonly looksUp?: boolean;
}

/**
 * Authenticates legacy service account tokens, which never expire and are stored in a Secret: a token is valid while the Secret
 * contains it and its service account exists.
 */
export class SecretTokenAuthenticator implements TokenAuthenticator {
  readonly #parts: SecretTokenParts;

  constructor(parts: SecretTokenParts) {
    this.#parts = parts;
  }

  async authenticateToken(token: string, wanted: readonly string[]): Promise<AuthenticationResult | undefined> {
    const { naming, audiences: own } = this.#parts;
    if (!claimsIssuer(token, [`${naming.vendor}/serviceaccount`])) return undefined;
    const claims = await verifyToken(token, await this.#parts.keys());
    const target = wanted.length === 0 ? own : wanted;
    const audiences = commonAudiences(own, target);
    if (audiences.length === 0 && own.length > 0)
      throw new CredentialsError(
        `token audiences ${goQuoteList(own)} is invalid for the target audiences ${goQuoteList(target)}`,
      );
    const claim = (path: string, word: string): string => {
      const value = claims[`${naming.vendor}.io/serviceaccount/${path}`];
      if (typeof value !== "string" || value === "") throw new CredentialsError(`${word} claim is missing`);
      return value;
    };
    if (!claims.sub) throw new CredentialsError("sub claim is missing");
    const namespace = claim("namespace", "namespace");
    const secret = claim("secret.name", "secretName");
    const name = claim("service-account.name", "serviceAccountName");
    const uid = claim("service-account.uid", "serviceAccountUID");
    if (claims.sub !== serviceAccountUser(namespace, name)) throw new CredentialsError("sub claim is invalid");
    if (this.#parts.looksUp !== false) {
      const holder = await this.#checkSecret(token, namespace, secret, name);
      await this.#checkAccount(namespace, name, uid);
      await this.#noteUse(holder);
    }
    const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
    return { user: { name: serviceAccountUser(namespace, name), uid, groups }, audiences };
  }

  async #checkSecret(token: string, namespace: string, name: string, account: string): Promise<ApiObject> {
    const secret = await this.#find("secrets", namespace, name);
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined)
      throw new CredentialsError("Token has been invalidated");
    const { token: stored = "" } = (secret.data ?? {}) as { token?: string };
    if (!equalSecrets(Buffer.from(stored, "base64").toString("utf8"), token))
      throw new CredentialsError("Token does not match server's copy");
    const mark = this.#parts.naming.key("legacy-token-invalid-since");
    if (secret.metadata.labels?.[mark])
      throw new CredentialsError(
        `the token in secret ${namespace}/${name} for service account ${namespace}/${account} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${mark}' label from the secret to temporarily allow use of this token`,
      );
    return secret;
  }

  /** Labels the Secret with the day of the token's last use, so that the controller-manager can find unused tokens. */
  async #noteUse(secret: ApiObject): Promise<void> {
    const { naming, now, writer } = this.#parts;
    const mark = naming.key("legacy-token-last-used");
    const today = formatDay(now());
    if (secret.metadata.labels?.[mark] === today) return;
    const metadata = { ...secret.metadata, labels: { ...secret.metadata.labels, [mark]: today } };
    // A conflict is ignored: the token is valid in any case, and its next use updates the label.
    await writer.update({ group: "", resource: "secrets" }, { ...secret, metadata }).catch(() => undefined);
  }

  async #checkAccount(namespace: string, name: string, uid: string): Promise<void> {
    const account = await this.#find("serviceaccounts", namespace, name);
    if (account === undefined) throw new CredentialsError(`serviceaccounts "${name}" not found`);
    if (account.metadata.deletionTimestamp !== undefined)
      throw new CredentialsError(`ServiceAccount ${namespace}/${name} has been deleted`);
    if (account.metadata.uid !== uid)
      throw new CredentialsError(`ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`);
  }

  #find(resource: string, namespace: string, name: string): Promise<ApiObject | undefined> {
    return this.#parts.reader.get({ group: "", resource }, namespace, name);
  }
}
