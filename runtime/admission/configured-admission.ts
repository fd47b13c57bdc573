import { randomUUID } from "node:crypto";
import type { AdmissionObserver, AdmissionPlugin } from "../contract/admission.ts";
import type { Authorizer } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { GroupResource, ObjectFeed, ObjectReader } from "../contract/object-access.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import type { KnownKinds } from "../kinds/known-kinds.ts";
import type { RestoreObject, RestoreParts } from "../kinds/restore-object.ts";
import { createServedVersions } from "../kinds/served-versions.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import type { Schemas } from "../schema/type-schema.ts";
import type { ConfiguredPlugin } from "./configured-plugin.ts";
import type { PluginSettings } from "./plugin-settings.ts";
import { createOwnerReferencesPermission } from "./plugins/owner-references-permission.ts";
import type { MutatingPolicyParts } from "./policies/mutation-enforcer.ts";
import type { ValidatingPolicyParts } from "./policies/policy-enforcer.ts";
import type { MutatingWebhookParts } from "./webhooks/mutating-caller.ts";
import type { ServiceRouting } from "./webhooks/service-address.ts";

export interface ConfiguredAdmissionParts {
  readonly naming: Naming;
  readonly objects: ObjectReader;
  readonly authorizer: Authorizer;
  readonly surface: () => ApiSurface;
  readonly kinds: KnownKinds;
  readonly schemas: Schemas;
  readonly now: () => Date;
  readonly gates: FeatureGates;
  readonly admissionObserver: AdmissionObserver;
  readonly pluginSettings: PluginSettings;
  readonly serves: (resource: GroupResource) => boolean;
  /** How requests to webhook Services are routed. */
  readonly routing: ServiceRouting;
}

/** Admission plugins that are configured by objects (policies and webhooks), or that need to know all served kinds. */
export interface ConfiguredAdmission {
  readonly plugins: readonly AdmissionPlugin[];
  /** Watches the configuration. Resolves when all of it is loaded. */
  follow(feed: ObjectFeed): Promise<() => void>;
}

/** Names of the plugins in ConfiguredAdmission. */
export function configuredPluginNames(gates: FeatureGates): readonly string[] {
  return [
    ...(gates.enabled("MutatingAdmissionPolicy") ? ["MutatingAdmissionPolicy"] : []),
    "MutatingAdmissionWebhook",
    "OwnerReferencesPermissionEnforcement",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
  ];
}

export async function createConfiguredAdmission(given: ConfiguredAdmissionParts): Promise<ConfiguredAdmission> {
  const { naming, objects: reader, authorizer, surface } = given;
  const parts = {
    naming,
    reader,
    ...given.routing,
    authorizer,
    versions: createServedVersions(surface),
    newUid: randomUUID,
    observer: given.admissionObserver,
  };
  const isConfigurable = given.serves({
    group: naming.group("admissionregistration"),
    resource: "validatingwebhookconfigurations",
  });
  const members = isConfigurable ? await loadMembers(given, parts) : [];
  return {
    plugins: [...members.map(({ plugin }) => plugin), createOwnerReferencesPermission(parts)],
    async follow(feed) {
      const stops = await Promise.all(members.map((member) => member.follow(feed)));
      return () => {
        for (const stop of stops) {
          stop();
        }
      };
    },
  };
}

/** Creates the plugins of policies and webhooks whose configuration kinds are served. */
async function loadMembers(
  given: ConfiguredAdmissionParts,
  common: ValidatingPolicyParts &
    Omit<MutatingWebhookParts, "credentialsFor" | "restore"> &
    Omit<MutatingPolicyParts, "mergeConfiguration" | "restore">,
): Promise<ConfiguredPlugin[]> {
  const { surface, gates, pluginSettings } = given;
  const [policies, webhooks, { createMergeConfiguration }] = await Promise.all([
    import("./policies/validating-admission-policy.ts"),
    import("./webhooks/webhook-plugins.ts"),
    import("./policies/merge-configuration.ts"),
  ]);
  const parts = { ...common, restore: restoreOnDemand(given) };
  const { createMutatingAdmissionPolicy } = await import("./policies/mutating-admission-policy.ts");
  const mergeConfiguration = createMergeConfiguration(surface);
  return [
    ...(gates.enabled("MutatingAdmissionPolicy")
      ? [createMutatingAdmissionPolicy({ ...parts, mergeConfiguration })]
      : []),
    webhooks.createMutatingAdmissionWebhook({ ...parts, credentialsFor: pluginSettings.mutatingCredentials }),
    policies.createValidatingAdmissionPolicy(parts),
    webhooks.createValidatingAdmissionWebhook({ ...parts, credentialsFor: pluginSettings.validatingCredentials }),
  ];
}

/** Loads the code that decodes changed objects when a webhook or policy first changes one. */
function restoreOnDemand(parts: RestoreParts): RestoreObject {
  let restore: Promise<RestoreObject> | undefined;
  return async (changed, target) => {
    restore ??= import("../kinds/restore-object.ts").then(({ createRestoreObject }) => createRestoreObject(parts));
    return (await restore)(changed, target);
  };
}
