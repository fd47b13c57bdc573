import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type {
  ClientCertificate,
  Credentials,
  RequestHeaders,
  TokenAuthenticator,
} from "../../contract/authentication.ts";
import type { Authorizer } from "../../contract/authorization.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../../contract/object-access.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { Log } from "../../lib/log.ts";
import { Histogram, type Metric } from "../../metrics/metric.ts";
import { ensureSigningKey } from "../pki/signing-key.ts";
import { keysWith, newKeysWhenNeeded, type SigningKeys } from "../pki/signing-keys.ts";
import { JWKS_PATH, jsonWebKeySet, openidConfiguration } from "../reviews/openid-discovery.ts";
import type { AuthenticationConfig } from "./authentication-config.ts";
import { createBearerAuthenticators, joinTokenAuthenticators } from "./bearer-token.ts";
import { BootstrapTokenAuthenticator } from "./bootstrap-token-authenticator.ts";
import {
  type CertificateAuthorities,
  createCertificateAuthenticator,
  readClientCertificate,
} from "./client-certificate.ts";
import { createFrontProxyAuthenticator } from "./front-proxy.ts";
import { impersonate } from "./impersonation.ts";
import type { Issuers } from "./load-issuers.ts";
import { logRefusals } from "./log-refusals.ts";
import { RequestAuthentication } from "./request-authenticator.ts";
import { SecretTokenAuthenticator } from "./secret-token-authenticator.ts";
import { goodForServer, serverAudiences } from "./server-audiences.ts";
import { ServiceAccountAuthenticator } from "./service-account-authenticator.ts";
import { ServiceAccountIssuer } from "./service-account-issuer.ts";
import { type VerificationKey, verificationKey } from "./service-account-keys.ts";
import { cacheTokens } from "./token-cache.ts";

export interface Authentication {
  /** Returns the client certificate of a connection; undefined if there is none. */
  readCertificate(socket: TLSSocket): ClientCertificate | undefined;
  /** Returns the user of a request. Throws the 401 Status. */
  authenticate(credentials: Credentials): Promise<UserInfo>;
  /** Returns the impersonated user, if any. Throws the 403 Status. */
  impersonate(user: UserInfo, headers: RequestHeaders): Promise<UserInfo> | undefined;
  readonly tokens: TokenAuthenticator;
  readonly issuer: ServiceAccountIssuer;
  readonly audiences: readonly string[];
  /** Private or public keys whose service account tokens are accepted in addition to those of the configuration. */
  acceptedKeys(): Promise<readonly KeyObject[]>;
  readonly metrics: readonly Metric[];
  /** Resolves when background work of the start, such as the creation of keys, is finished. */
  settled(): Promise<void>;
  openIdDocument(path: string): Promise<{ contentType: string; body: string } | undefined>;
}

export interface AuthenticationParts {
  readonly config: AuthenticationConfig;
  readonly naming: Naming;
  readonly objects: ObjectReader & ObjectWriter;
  readonly authorizer: Authorizer;
  /** Whether service accounts are served, and thus their tokens can exist. */
  readonly hasAccounts: boolean;
  /** JWT issuers, and the configuration of anonymous requests. */
  readonly issuers: Issuers;
  readonly tokenFile: TokenAuthenticator | undefined;
  /** The current CAs of client certificates. */
  readonly clientAuthorities: () => CertificateAuthorities;
  /** `AllowParsingUserUIDFromCertAuth` */
  readonly readsCertificateUids: boolean;
  /** Keys of service account tokens, for servers without a key directory. A configured signing key takes precedence. */
  readonly signingKeys?: SigningKeys | undefined;
  readonly now: () => Date;
  readonly log: Log;
  /** URL of this server for clients: `https://127.0.0.1:6443`. */
  readonly serverUrl: () => string;
}

export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { config, naming, now } = parts;
  const signingKeys = signingKeysOf(parts);
  const keys = acceptedKeys(signingKeys, config.serviceAccounts.keys);
  const audiences = serverAudiences(config);
  const tokens = createTokenAuthenticator(parts, keys, audiences);
  const certificateLives = certificateLifeMetric();
  const authentication = new RequestAuthentication(
    [
      ...(config.frontProxy ? [createFrontProxyAuthenticator(config.frontProxy, now)] : []),
      createCertificateAuthenticator(naming, now, {
        readsUids: parts.readsCertificateUids,
        onTrusted({ validUntil }) {
          if (validUntil !== undefined) certificateLives.observe((validUntil - now().getTime()) / 1000);
        },
      }),
      ...createBearerAuthenticators(naming, tokens, audiences),
    ],
    parts.issuers.anonymous,
    logRefusals(parts.log, now),
  );
  return {
    readCertificate: (socket) => readClientCertificate(socket, parts.clientAuthorities()),
    settled: () => signingKeys.settled(),
    acceptedKeys: () => signingKeys.accepted(),
    metrics: [certificateLives],
    tokens,
    issuer: new ServiceAccountIssuer({
      naming,
      issuer: config.serviceAccounts.issuers[0],
      key: () => signingKeys.signing(),
      newId: randomUUID,
    }),
    audiences,
    authenticate: (credentials) => authentication.authenticate(credentials),
    impersonate: (user, headers) => impersonate(user, headers, { naming, authorizer: parts.authorizer }),
    async openIdDocument(path) {
      // Clients can fetch the documents only if the issuer is a URL.
      if (!parts.hasAccounts || !config.serviceAccounts.issuers[0].startsWith("https://")) return undefined;
      await signingKeys.signing();
      return openIdDocument(path, await keys(), parts);
    },
  };
}

/** Combines all token authenticators. Tokens of the token file are looked up directly; results of the others are cached. */
function createTokenAuthenticator(
  { config, naming, now, objects, hasAccounts, tokenFile, issuers }: AuthenticationParts,
  keys: AcceptedKeys,
  audiences: readonly string[],
): TokenAuthenticator {
  const { serviceAccounts, bootstrapTokens } = config;
  const common = { naming, reader: objects, now };
  const ofAccounts = { ...common, audiences, keys };
  const secrets = new SecretTokenAuthenticator({ ...ofAccounts, writer: objects, looksUp: serviceAccounts.looksUp });
  const accounts = new ServiceAccountAuthenticator({ ...ofAccounts, issuers: serviceAccounts.issuers });
  const bootstrap = new BootstrapTokenAuthenticator(common);
  const others = joinTokenAuthenticators([
    ...(hasAccounts ? [secrets, accounts] : []),
    ...(bootstrapTokens ? [goodForServer(bootstrap, audiences)] : []),
    issuers.tokens,
  ]);
  return joinTokenAuthenticators([
    ...(tokenFile ? [goodForServer(tokenFile, audiences)] : []),
    cacheTokens(others, () => now().getTime()),
  ]);
}

function openIdDocument(
  path: string,
  keys: readonly VerificationKey[],
  { config, serverUrl }: AuthenticationParts,
): { contentType: string; body: string } {
  if (path === JWKS_PATH) return { contentType: "application/jwk-set+json", body: JSON.stringify(jsonWebKeySet(keys)) };
  const { issuers, jwksUri = `${serverUrl()}${JWKS_PATH}` } = config.serviceAccounts;
  const document = openidConfiguration({ issuer: issuers[0], jwksUri, keys });
  return { contentType: "application/json", body: JSON.stringify(document) };
}

type AcceptedKeys = () => Promise<readonly VerificationKey[]>;

/** Returns the keys that sign tokens. Without service accounts, no key is created at the start. */
function signingKeysOf({ config, hasAccounts, signingKeys }: AuthenticationParts): SigningKeys {
  const { signingKey } = config.serviceAccounts;
  if (!hasAccounts) return newKeysWhenNeeded();
  if (signingKey !== undefined) return keysWith(Promise.resolve(createPrivateKey(signingKey)));
  return signingKeys ?? keysWith(ensureSigningKey(config.certDir));
}

const HOUR = 3600;
const DAY = 24 * HOUR;

function certificateLifeMetric(): Histogram {
  return new Histogram(
    "apiserver_client_certificate_expiration_seconds",
    "Remaining lifetime of client certificates at the time of a request, in seconds.",
    [],
    [0, HOUR / 2, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, ...[1, 2, 4, 7, 30, 90, 180, 360].map((days) => days * DAY)],
  );
}

/** Returns the keys of this server and the configured keys of other or earlier servers, without duplicates. */
function acceptedKeys(own: SigningKeys, others: readonly string[]): AcceptedKeys {
  const configured = others.map((pem) => verificationKey(createPublicKey(pem)));
  let known: { readonly count: number; readonly keys: readonly VerificationKey[] } | undefined;
  return async () => {
    const accepted = await own.accepted();
    if (known?.count !== accepted.length) {
      const all = [...accepted.map(verificationKey), ...configured];
      known = { count: accepted.length, keys: [...new Map(all.map((key) => [key.id, key])).values()] };
    }
    return known.keys;
  };
}
