import { isDeepStrictEqual } from "node:util";
import type { TokenAuthenticator } from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import type { Clock } from "../../lib/clock.ts";
import { followFile } from "../../lib/follow-file.ts";
import type { Log } from "../../lib/log.ts";
import type { Route } from "../../outbound/dial.ts";
import type { FeatureGates } from "../../release/feature-gates.ts";
import {
  ConfigFileError,
  type ConfigFileLoader,
  readConfigText,
  refuseConfigFile,
} from "../../schema/load-config-file.ts";
import { forbiddenField } from "../../values/field-errors.ts";
import { openWebhook } from "../webhook/open-webhook.ts";
import type { AuthenticationConfig } from "./authentication-config.ts";
import { joinTokenAuthenticators } from "./bearer-token.ts";
import type { AuthenticationConfiguration } from "./jwt/jwt-configuration.ts";
import { authenticatorOfOptions } from "./jwt/oidc-options.ts";
import { SIGNING_ALGORITHMS } from "./jwt/signing-algorithms.ts";
import type { AnonymousAccess } from "./request-authenticator.ts";
import { serverAudiences } from "./server-audiences.ts";
import { cacheTokens } from "./token-cache.ts";

const WEBHOOK_TIMEOUT_MS = 30_000;

/** Authenticators of JWT issuers and the token webhook, and the settings of anonymous requests. */
export interface Issuers {
  readonly tokens: TokenAuthenticator;
  readonly anonymous: AnonymousAccess;
  close(): void;
}

export interface IssuersParts {
  readonly config: AuthenticationConfig;
  readonly configFiles: ConfigFileLoader;
  /** Proxy to the token review webhook; undefined for direct connections. */
  readonly route: Route | undefined;
  readonly gates: FeatureGates;
  readonly naming: Naming;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads `--authentication-config` or the `--oidc-*` flags. A token webhook is called after the issuers. Throws a ConfigFileError for an invalid
 * configuration.
 */
export async function createIssuers(parts: IssuersParts): Promise<Issuers> {
  const issuers = await createJwtIssuers(parts);
  const webhook = parts.config.tokenWebhook;
  if (webhook === undefined) return issuers;
  const client = await openWebhook(parts.configFiles, webhook.configFile, WEBHOOK_TIMEOUT_MS, { route: parts.route });
  const { TokenReviewWebhook } = await import("./token-review-webhook.ts");
  const reviews = new TokenReviewWebhook({
    client,
    reviewVersion: `${parts.naming.group("authentication")}/${webhook.version}`,
    serverAudiences: serverAudiences(parts.config),
    log: parts.log,
  });
  const remembered = cacheTokens(reviews, () => parts.clock.now(), webhook.cacheMs);
  return {
    ...issuers,
    tokens: joinTokenAuthenticators([issuers.tokens, remembered]),
    close() {
      issuers.close();
      client.close();
    },
  };
}

async function createJwtIssuers(parts: IssuersParts): Promise<Issuers> {
  const { config, log } = parts;
  const flags: AnonymousAccess = { enabled: config.anonymousAuth };
  const nothing = () => undefined;
  if (config.oidc !== undefined) {
    const configuration = { jwt: [authenticatorOfOptions(config.oidc)] };
    const tokens = await createTokens(parts, "--oidc-issuer-url", configuration, config.oidc.signingAlgorithms);
    return { tokens, anonymous: flags, close: nothing };
  }
  const file = config.authenticationConfig;
  if (file === undefined) return { tokens: { authenticateToken: nothing }, anonymous: flags, close: nothing };

  const text = readConfigText(file);
  const configuration = load(parts, file, text);
  if (configuration.anonymous !== undefined && config.anonymousAuthGiven)
    throw new ConfigFileError(
      `${file}: anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file`,
    );
  let current = await createTokens(parts, file, configuration, SIGNING_ALGORITHMS);
  const reload = async (changed: string) => {
    const next = load(parts, file, changed);
    if (!isDeepStrictEqual(next.anonymous, configuration.anonymous))
      refuseConfigFile(file, [forbiddenField("anonymous", "changed from initial configuration file")]);
    current = await createTokens(parts, file, next, SIGNING_ALGORITHMS);
    log("info", `${file} was reloaded`);
  };
  const failed = (error: Error) =>
    log("error", `cannot reload the authentication configuration, the previous one stays in use: ${error.message}`);
  return {
    tokens: { authenticateToken: (token, audiences) => current.authenticateToken(token, audiences) },
    anonymous: configuration.anonymous === undefined ? flags : anonymousAccess(configuration.anonymous),
    close: followFile(file, text, { changed: (changed) => void reload(changed).catch(failed), failed }),
  };
}

function load({ gates, configFiles }: IssuersParts, file: string, text: string): AuthenticationConfiguration {
  const gate = (name: string) => gates.enabled(name);
  if (!gate("StructuredAuthenticationConfiguration"))
    throw new ConfigFileError(
      "set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file",
    );
  const { object } = configFiles.load<AuthenticationConfiguration>(file, text, ["AuthenticationConfiguration"]);
  if (object.anonymous !== undefined && !gate("AnonymousAuthConfigurableEndpoints"))
    refuseConfigFile(file, [
      forbiddenField(
        "anonymous",
        "anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled",
      ),
    ]);
  return object;
}

/** The modules are loaded only by servers with JWT issuers. */
async function createTokens(
  { config, naming, clock }: IssuersParts,
  source: string,
  configuration: AuthenticationConfiguration,
  algorithms: readonly string[],
): Promise<TokenAuthenticator> {
  const [{ checkAuthentication }, { JwtAuthenticator }] = await Promise.all([
    import("./jwt/check-authentication.ts"),
    import("./jwt/jwt-authenticator.ts"),
  ]);
  const { authenticators, problems } = checkAuthentication(configuration, config.serviceAccounts.issuers);
  refuseConfigFile(source, problems);
  const options = {
    algorithms,
    serverAudiences: serverAudiences(config),
    credentialIdKey: naming.key("credential-id", "authentication"),
    clock,
  };
  return joinTokenAuthenticators(authenticators.map((authenticator) => new JwtAuthenticator(authenticator, options)));
}

function anonymousAccess({
  enabled,
  conditions,
}: NonNullable<AuthenticationConfiguration["anonymous"]>): AnonymousAccess {
  const paths = (conditions ?? []).map(({ path }) => path);
  return paths.length === 0 ? { enabled } : { enabled, paths };
}
