import { UsageError } from "../usage-error.ts";
import { duration, list, string } from "./flag.ts";
import { section } from "./section.ts";
import { webhookVersion } from "./webhook-version.ts";

/** A duration, converted to the syntax of configuration files. */
const cacheTime = (name: string, fallback: string, help: string) =>
  duration(name, { default: fallback, help }).to((milliseconds) => `${milliseconds}ms`);

export const AUTHORIZATION = section(
  "Authorization",
  {
    authorizationModes: list("authorization-mode", {
      default: "Node,RBAC",
      help: "Authorizers, in the order in which they are called: Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny. The default is what installers of Kubernetes set.",
    }),
    authorizationConfig: string("authorization-config", {
      help: "File of kind AuthorizationConfiguration, instead of --authorization-mode and --authorization-webhook-*. Reloaded when it changes.",
    }),
    authorizationPolicyFile: string("authorization-policy-file", {
      help: "File with the policies of the authorizer ABAC: one JSON object per line. Requires ABAC in --authorization-mode or --authorization-config.",
    }),
    configFile: string("authorization-webhook-config-file", { help: "kubeconfig of the webhook of mode Webhook." }),
    version: webhookVersion("authorization-webhook-version", "webhook authorizer", "SubjectAccessReviews"),
    authorizedTtl: cacheTime(
      "authorization-webhook-cache-authorized-ttl",
      "5m0s",
      'How long "allowed" responses of the authorization webhook are cached.',
    ),
    unauthorizedTtl: cacheTime(
      "authorization-webhook-cache-unauthorized-ttl",
      "30s",
      "How long all other responses of the authorization webhook are cached.",
    ),
  },
  ({ authorizationModes, authorizationConfig, authorizationPolicyFile, configFile = "", ...webhook }, isGiven) => {
    const modes = { authorizationModes, authorizationConfig, authorizationPolicyFile };
    if (isGiven("authorizationConfig")) {
      if (isGiven("authorizationModes", "configFile", "version", "authorizedTtl", "unauthorizedTtl"))
        throw new UsageError(
          "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
        );
      return { ...modes, authorizationWebhook: undefined };
    }
    const usesPolicies = authorizationModes.includes("ABAC");
    if (usesPolicies && !authorizationPolicyFile)
      throw new UsageError("authorization-mode ABAC's authorization policy file not passed");
    if (!usesPolicies && authorizationPolicyFile)
      throw new UsageError("cannot specify --authorization-policy-file without mode ABAC");
    const wanted = authorizationModes.includes("Webhook");
    if (wanted && configFile === "")
      throw new UsageError("authorization-mode Webhook's authorization config file not passed");
    if (!wanted && configFile !== "")
      throw new UsageError("cannot specify --authorization-webhook-config-file without mode Webhook");
    return { ...modes, authorizationWebhook: wanted ? { configFile, ...webhook } : undefined };
  },
);
