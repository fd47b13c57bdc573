import { didYouMean } from "../lib/did-you-mean.ts";

/** All plugins of Kubernetes in execution order; `on` marks those that are enabled by default. */
const PLUGINS: readonly (readonly [name: string, state: "on" | "off"])[] = [
  ["AlwaysAdmit", "off"],
  ["NamespaceAutoProvision", "off"],
  ["NamespaceLifecycle", "on"],
  ["NamespaceExists", "off"],
  ["LimitPodHardAntiAffinityTopology", "off"],
  ["LimitRanger", "on"],
  ["ServiceAccount", "on"],
  ["NodeRestriction", "off"],
  ["TaintNodesByCondition", "on"],
  ["AlwaysPullImages", "off"],
  ["ImagePolicyWebhook", "off"],
  ["PodSecurity", "on"],
  ["PodNodeSelector", "off"],
  ["Priority", "on"],
  ["DefaultTolerationSeconds", "on"],
  ["PodTolerationRestriction", "off"],
  ["EventRateLimit", "off"],
  ["ExtendedResourceToleration", "off"],
  ["DefaultStorageClass", "on"],
  ["StorageObjectInUseProtection", "on"],
  ["OwnerReferencesPermissionEnforcement", "off"],
  ["PersistentVolumeClaimResize", "on"],
  ["RuntimeClass", "on"],
  ["CertificateApproval", "on"],
  ["CertificateSigning", "on"],
  ["ClusterTrustBundleAttest", "on"],
  ["CertificateSubjectRestriction", "on"],
  ["DefaultIngressClass", "on"],
  ["DenyServiceExternalIPs", "off"],
  ["PodTopologyLabels", "on"],
  ["MutatingAdmissionPolicy", "on"],
  ["MutatingAdmissionWebhook", "on"],
  ["ValidatingAdmissionPolicy", "on"],
  ["ValidatingAdmissionWebhook", "on"],
  ["ResourceQuota", "on"],
  ["AlwaysDeny", "off"],
];

const NAMES = PLUGINS.map(([name]) => name);

export function isPluginName(name: string): boolean {
  return NAMES.includes(name);
}

/** Returns ` (did you mean "…"?)` if there is a similar name. */
export function nearestPluginName(name: string): string {
  return didYouMean(name, NAMES);
}

/** The flags select an invalid set of plugins; the message contains the reason. */
export class PluginSelectionError extends Error {
  readonly code = "admission-plugins";
}

export interface PluginSelection {
  /** `--enable-admission-plugins`. */
  readonly enable?: readonly string[];
  /** `--disable-admission-plugins`. */
  readonly disable?: readonly string[];
}

/** Returns the names of the enabled plugins in order. Throws a PluginSelectionError for unknown names and contradictions. */
export function selectPlugins({ enable = [], disable = [] }: PluginSelection): string[] {
  for (const [flag, names] of [
    ["enable-admission-plugins", enable],
    ["disable-admission-plugins", disable],
  ] as const)
    for (const name of names)
      if (!isPluginName(name))
        throw new PluginSelectionError(`${flag} plugin "${name}" is unknown${nearestPluginName(name)}`);
  const both = enable.filter((name) => disable.includes(name));
  if (both.length > 0)
    throw new PluginSelectionError(
      `[${both.join(" ")}] in enable-admission-plugins and disable-admission-plugins overlapped`,
    );
  return PLUGINS.filter(([name, state]) => (state === "on" ? !disable.includes(name) : enable.includes(name))).map(
    ([name]) => name,
  );
}
