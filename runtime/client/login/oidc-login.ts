import { readFileSync } from "node:fs";
import { parseYaml } from "../../encoding/yaml/parse-yaml.ts";
import { stringifyYaml } from "../../encoding/yaml/stringify-yaml.ts";
import type { Clock } from "../../lib/clock.ts";
import { writePrivately } from "../../lib/private-files.ts";
import { exchange } from "../../outbound/exchange.ts";
import { type Entry, type Fields, KubeconfigError, pathOf } from "./kubeconfig.ts";
import type { Credentials, Login } from "./login.ts";

/** An ID token is renewed before use if it expires within this time. */
const LEEWAY_MS = 10_000;
const LIMITS = { timeoutMs: 30_000, maxBytes: 1_000_000 };

/**
 * Authenticates with an ID token of an OpenID provider (`auth-provider: { name: oidc }`). Renews it with the refresh token when it expires. Providers
 * may accept a refresh token only once, therefore new tokens are written back to the kubeconfig.
 */
export class OidcLogin implements Login {
  readonly #entry: Entry;
  readonly #clock: Clock;
  #config: Readonly<Record<string, string>>;
  #refused = "";
  #renewing: Promise<Credentials> | undefined;

  constructor(user: Entry, clock: Clock) {
    const { name, config } = user.fields["auth-provider"] as { readonly name?: unknown; readonly config?: unknown };
    this.#entry = user;
    this.#clock = clock;
    this.#config = Object.fromEntries(
      Object.entries((config ?? {}) as Fields).map(([key, value]) => [key, `${value}`]),
    );
    if (name !== "oidc") this.#fail(`auth-provider "${String(name)}" is not supported: use an exec plugin`);
  }

  credentials(): Credentials | Promise<Credentials> {
    const token = this.#config["id-token"] ?? "";
    if (token !== "" && token !== this.#refused && expiryOf(token) - LEEWAY_MS > this.#clock.now())
      return { headers: { Authorization: `Bearer ${token}` } };
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  renew(): boolean {
    this.#refused = this.#config["id-token"] ?? "";
    return (this.#config["refresh-token"] ?? "") !== "";
  }

  async #renew(): Promise<Credentials> {
    const { "refresh-token": refresh, "client-id": client, "client-secret": secret = "" } = this.#config;
    if (!refresh || !client)
      this.#fail("the ID token has expired, and there is no refresh-token with a client-id to renew it: log in again");
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh as string });
    const basic = Buffer.from(`${encodeURIComponent(client as string)}:${encodeURIComponent(secret)}`).toString(
      "base64",
    );
    const answer = await this.#ask(new URL(await this.#tokenEndpoint()), {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Authorization: `Basic ${basic}` },
      body: form.toString(),
    });
    const { id_token: token, refresh_token: next } = answer as { id_token?: string; refresh_token?: string };
    if (token === undefined) return this.#fail("the provider returned no id_token");
    this.#config = { ...this.#config, "id-token": token, ...(next && { "refresh-token": next }) };
    this.#keep();
    return { headers: { Authorization: `Bearer ${token}` } };
  }

  async #tokenEndpoint(): Promise<string> {
    const issuer = (this.#config["idp-issuer-url"] ?? "").replace(/\/$/, "");
    if (!URL.canParse(issuer)) this.#fail(`idp-issuer-url "${issuer}" is not a URL`);
    const document = await this.#ask(new URL(`${issuer}/.well-known/openid-configuration`), { method: "GET" });
    const { token_endpoint: endpoint } = document as { token_endpoint?: string };
    return endpoint ?? this.#fail("the provider has no token_endpoint");
  }

  async #ask(
    url: URL,
    request: { method: "GET" | "POST"; headers?: Record<string, string>; body?: string },
  ): Promise<unknown> {
    const { "idp-certificate-authority-data": data, "idp-certificate-authority": path } = this.#config;
    const ca = data ? Buffer.from(data, "base64") : path ? readFileSync(pathOf(this.#entry, path)) : undefined;
    const { status, body } = await exchange({ url, ...request, ...LIMITS, ...(ca && { tls: { ca } }) });
    // The body of an error may repeat the secrets that were sent: it is not shown.
    if (status !== 200) this.#fail(`${url.origin}${url.pathname} responded with ${status}`);
    try {
      return JSON.parse(body.toString("utf8"));
    } catch (error) {
      return this.#fail(`${url.origin}${url.pathname} responded with something that is not JSON`, error);
    }
  }

  /** Writes the new tokens to the file of the user. If that fails, the tokens are still usable: the failure is ignored. */
  #keep(): void {
    try {
      const { value } = parseYaml(readFileSync(this.#entry.file));
      const { users } = value as { users: { name: string; user: { "auth-provider": { config: object } } }[] };
      const user = users.find(({ name }) => name === this.#entry.name);
      if (user === undefined) return;
      user.user["auth-provider"].config = { ...user.user["auth-provider"].config, ...this.#config };
      writePrivately(this.#entry.file, stringifyYaml(value));
    } catch {
      // The tokens remain in memory.
    }
  }

  #fail(problem: string, cause?: unknown): never {
    throw new KubeconfigError(`${this.#entry.file}: user "${this.#entry.name}": ${problem}`, { cause });
  }
}

/** Returns the expiration time of a token in milliseconds since the epoch; 0 if it is not a JWT. */
function expiryOf(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as {
      exp?: number;
    };
    return typeof exp === "number" ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}
