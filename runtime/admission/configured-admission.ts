import { randomUUID } from "node:crypto";
import type { AdmissionObserver, AdmissionPlugin } from "../contract/admission.ts";
import type { Authorizer } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed, ObjectReader } from "../contract/object-access.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import { createServedVersions } from "../kinds/served-versions.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import type { PluginSettings } from "./plugin-settings.ts";
import { createOwnerReferencesPermission } from "./plugins/owner-references-permission.ts";
import { createMergeConfiguration } from "./policies/merge-configuration.ts";
import { createMutatingAdmissionPolicy } from "./policies/mutating-admission-policy.ts";
import { createValidatingAdmissionPolicy } from "./policies/validating-admission-policy.ts";
import { createMutatingAdmissionWebhook, createValidatingAdmissionWebhook } from "./webhooks/webhook-plugins.ts";

export interface ConfiguredAdmissionParts {
  readonly naming: Naming;
  readonly objects: ObjectReader;
  readonly authorizer: Authorizer;
  readonly surface: () => ApiSurface;
  readonly gates: FeatureGates;
  readonly admissionObserver: AdmissionObserver;
  readonly pluginSettings: PluginSettings;
}

/** Admission that is configured by objects (policies and webhooks), or that has to know all kinds that are served. */
export interface ConfiguredAdmission {
  readonly plugins: readonly AdmissionPlugin[];
  /** Watches the configuration; resolves when all of it is loaded. */
  follow(feed: ObjectFeed): Promise<() => void>;
}

/** Names of the plugins of ConfiguredAdmission. */
export function configuredPluginNames(gates: FeatureGates): readonly string[] {
  return [
    ...(gates.enabled("MutatingAdmissionPolicy") ? ["MutatingAdmissionPolicy"] : []),
    "MutatingAdmissionWebhook",
    "OwnerReferencesPermissionEnforcement",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
  ];
}

export function createConfiguredAdmission(given: ConfiguredAdmissionParts): ConfiguredAdmission {
  const { naming, objects: reader, authorizer, surface } = given;
  const parts = {
    naming,
    reader,
    authorizer,
    versions: createServedVersions(surface, () => new Date()),
    newUid: randomUUID,
    observer: given.admissionObserver,
    mergeConfiguration: createMergeConfiguration(surface),
  };
  const members = [
    ...(given.gates.enabled("MutatingAdmissionPolicy") ? [createMutatingAdmissionPolicy(parts)] : []),
    createMutatingAdmissionWebhook({ ...parts, credentialsFor: given.pluginSettings.mutatingCredentials }),
    createValidatingAdmissionPolicy(parts),
    createValidatingAdmissionWebhook({ ...parts, credentialsFor: given.pluginSettings.validatingCredentials }),
  ];
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
