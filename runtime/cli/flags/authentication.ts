import type { OidcOptions } from "../../auth/authenticate/jwt/oidc-options.ts";
import { SIGNING_ALGORITHMS } from "../../auth/authenticate/jwt/signing-algorithms.ts";
import { UsageError } from "../usage-error.ts";
import { array, authority, boolean, duration, file, list, string } from "./flag.ts";
import { section, type ValuesOf } from "./section.ts";
import { webhookVersion } from "./webhook-version.ts";

const OIDC = {
  oidcIssuerUrl: string("oidc-issuer-url", {
    help: "URL of an OpenID Connect issuer whose ID tokens are accepted. https only.",
  }),
  oidcClientId: string("oidc-client-id", { help: "Audience that the ID tokens must be issued for." }),
  oidcAuthority: file("oidc-ca-file", { help: "CA of the issuer. Defaults to the CAs that the system trusts." }),
  oidcUsernameClaim: string("oidc-username-claim", { default: "sub", help: "Claim that is the user name." }),
  oidcUsernamePrefix: string("oidc-username-prefix", {
    help: `Prefix of user names; "-" means none. Defaults to the issuer's URL and "#", or to none if the claim is email.`,
  }),
  oidcGroupsClaim: string("oidc-groups-claim", {
    help: "Claim that holds the user's groups. Unset means no groups.",
  }),
  oidcGroupsPrefix: string("oidc-groups-prefix", { help: "Prefix of group names." }),
  oidcRequiredClaims: array("oidc-required-claim", {
    help: "claim=value that an ID token must contain. May be repeated.",
  }).to((claims, name) => {
    for (const pair of claims) if (pair.indexOf("=") < 1) throw new UsageError(`--${name}=${pair}: write claim=value`);
    return claims;
  }),
  oidcSigningAlgorithms: list("oidc-signing-algs", { default: "RS256", help: "Accepted signature algorithms." }).to(
    (algorithms) => {
      const unknown = algorithms.find((algorithm) => !SIGNING_ALGORITHMS.includes(algorithm));
      if (unknown !== undefined) throw new UsageError(`oidc: unsupported signing alg: "${unknown}"`);
      return algorithms;
    },
  ),
} as const;

const headers = (name: string, help: string) =>
  list(name, { help }).to((values) => {
    if (values.some((value) => value.trim() === "")) throw new UsageError(`empty value in "${name}"`);
    return values;
  });

export const AUTHENTICATION = section(
  "Authentication",
  {
    clientAuthority: authority("client-ca-file", {
      help: "CA of client certificates, instead of the CA in --cert-dir, which signs the certificate in --kubeconfig-out. Reloaded when it changes.",
    }),
    tokenAuthFile: file("token-auth-file", {
      help: 'File of static bearer tokens. Each line is token,user,uid,"group,group".',
    }),
    anonymousAuth: boolean("anonymous-auth", {
      default: "true",
      help: "Serve requests without credentials as user system:anonymous. If false, they get 401.",
    }),
    apiAudiences: list("api-audiences", {
      help: "Audiences of this server: tokens must be issued for one of them. Defaults to --service-account-issuer.",
    }),
    authenticationConfig: string("authentication-config", {
      help: "File of kind AuthenticationConfiguration: JWT issuers and anonymous requests. Reloaded when it changes. Excludes --oidc-*.",
    }),
    ...OIDC,
    bootstrapTokens: boolean("enable-bootstrap-token-auth", {
      default: "false",
      help: "Authenticate bootstrap tokens, with which nodes join: Secrets of type bootstrap.kubernetes.io/token in kube-system.",
    }),
    webhookFile: string("authentication-token-webhook-config-file", {
      help: "kubeconfig of a webhook that authenticates bearer tokens (TokenReview).",
    }),
    webhookVersion: webhookVersion("authentication-token-webhook-version", "authentication webhook", "TokenReviews"),
    webhookCacheMs: duration("authentication-token-webhook-cache-ttl", {
      default: "2m0s",
      help: "How long successful responses of the token webhook are cached.",
    }),
    frontProxyAuthority: authority("requestheader-client-ca-file", {
      help: "CA of front proxies. Requests with a client certificate of this CA are authenticated by their --requestheader-* headers. Reloaded when it changes.",
    }),
    allowedNames: headers(
      "requestheader-allowed-names",
      "Common names of client certificates that may use these headers. Empty allows every certificate of --requestheader-client-ca-file.",
    ),
    usernameHeaders: headers(
      "requestheader-username-headers",
      "Headers with the user name, such as X-Remote-User. The first one that is set is used.",
    ),
    uidHeaders: headers(
      "requestheader-uid-headers",
      "Headers with the user's UID. Must include X-Remote-Uid if set.",
    ).to((names) => {
      if (names.length > 0 && !names.some((name) => name.toLowerCase() === "x-remote-uid"))
        throw new UsageError(
          "--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work",
        );
      return names;
    }),
    groupHeaders: headers("requestheader-group-headers", "Headers with the user's groups, such as X-Remote-Group."),
    extraHeaderPrefixes: headers(
      "requestheader-extra-headers-prefix",
      "Prefixes of headers with extra attributes of the user, such as X-Remote-Extra-.",
    ),
  },
  (values, isGiven) => {
    const { clientAuthority, tokenAuthFile, anonymousAuth, apiAudiences, authenticationConfig } = values;
    const { allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes } = values;
    const hasOidc = isGiven(...(Object.keys(OIDC) as (keyof typeof OIDC)[]));
    if (hasOidc && isGiven("authenticationConfig"))
      throw new UsageError("authentication-config file and oidc-* flags are mutually exclusive");
    return {
      clientAuthority,
      tokenAuthFile,
      anonymousAuth,
      anonymousAuthGiven: isGiven("anonymousAuth"),
      apiAudiences,
      authenticationConfig,
      bootstrapTokens: values.bootstrapTokens,
      oidc: hasOidc ? oidcOptions(values) : undefined,
      tokenWebhook: values.webhookFile
        ? { configFile: values.webhookFile, version: values.webhookVersion, cacheMs: values.webhookCacheMs }
        : undefined,
      frontProxy:
        values.frontProxyAuthority === undefined
          ? undefined
          : {
              authority: values.frontProxyAuthority,
              ...{ allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes },
            },
    };
  },
);

function oidcOptions(values: ValuesOf<typeof OIDC>): OidcOptions {
  const { oidcIssuerUrl: issuerUrl = "", oidcClientId: clientId = "" } = values;
  if (issuerUrl === "" || clientId === "")
    throw new UsageError("oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set");
  return {
    issuerUrl,
    clientId,
    usernameClaim: values.oidcUsernameClaim,
    usernamePrefix: values.oidcUsernamePrefix ?? "",
    groupsClaim: values.oidcGroupsClaim ?? "",
    groupsPrefix: values.oidcGroupsPrefix ?? "",
    requiredClaims: values.oidcRequiredClaims,
    certificateAuthority: values.oidcAuthority?.contents ?? "",
    signingAlgorithms: values.oidcSigningAlgorithms,
  };
}
