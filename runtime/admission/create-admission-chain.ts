import type {
  AdmissionChain,
  AdmissionObserver,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
  PluginMeter,
} from "../contract/admission.ts";
import type { PluginEnvironment } from "./plugin-environment.ts";
import { type PluginSelection, PluginSelectionError, selectPlugins } from "./plugin-names.ts";
import { alwaysPullImages } from "./plugins/always-pull-images.ts";
import { createCertificateApproval } from "./plugins/certificate-approval.ts";
import { createCertificateSigning } from "./plugins/certificate-signing.ts";
import { createCertificateSubjectRestriction } from "./plugins/certificate-subject-restriction.ts";
import { createClusterTrustBundleAttest } from "./plugins/cluster-trust-bundle-attest.ts";
import { createDefaultIngressClass } from "./plugins/default-ingress-class.ts";
import { createDefaultStorageClass } from "./plugins/default-storage-class.ts";
import { createDefaultTolerationSeconds } from "./plugins/default-toleration-seconds.ts";
import { denyServiceExternalIPs } from "./plugins/deny-service-external-ips.ts";
import { createExtendedResourceToleration } from "./plugins/extended-resource-toleration.ts";
import { alwaysAdmit, alwaysDeny } from "./plugins/fixed.ts";
import { createLimitPodHardAntiAffinityTopology } from "./plugins/limit-pod-hard-anti-affinity-topology.ts";
import { createLimitRanger } from "./plugins/limit-ranger.ts";
import { createNamespaceLifecycle } from "./plugins/namespace-lifecycle.ts";
import { createNamespaceAutoProvision, createNamespaceExists } from "./plugins/namespace-presence.ts";
import { createNodeRestriction } from "./plugins/node-restriction.ts";
import { createPersistentVolumeClaimResize } from "./plugins/persistent-volume-claim-resize.ts";
import { createPodSecurity } from "./plugins/pod-security.ts";
import { createPodTopologyLabels } from "./plugins/pod-topology-labels.ts";
import { createPriority } from "./plugins/priority.ts";
import { createResourceQuota } from "./plugins/resource-quota.ts";
import { createRuntimeClass } from "./plugins/runtime-class.ts";
import { createServiceAccount } from "./plugins/service-account.ts";
import { createStorageObjectInUseProtection } from "./plugins/storage-object-in-use-protection.ts";
import { createTaintNodesByCondition } from "./plugins/taint-nodes-by-condition.ts";

const FACTORIES: Readonly<Record<string, (environment: PluginEnvironment) => AdmissionPlugin>> = {
  AlwaysAdmit: () => alwaysAdmit,
  AlwaysDeny: () => alwaysDeny,
  AlwaysPullImages: () => alwaysPullImages,
  CertificateApproval: createCertificateApproval,
  CertificateSigning: createCertificateSigning,
  CertificateSubjectRestriction: createCertificateSubjectRestriction,
  ClusterTrustBundleAttest: createClusterTrustBundleAttest,
  DefaultIngressClass: createDefaultIngressClass,
  DefaultStorageClass: createDefaultStorageClass,
  DefaultTolerationSeconds: createDefaultTolerationSeconds,
  DenyServiceExternalIPs: () => denyServiceExternalIPs,
  ExtendedResourceToleration: createExtendedResourceToleration,
  LimitPodHardAntiAffinityTopology: createLimitPodHardAntiAffinityTopology,
  LimitRanger: createLimitRanger,
  NamespaceAutoProvision: createNamespaceAutoProvision,
  NamespaceExists: createNamespaceExists,
  NamespaceLifecycle: createNamespaceLifecycle,
  NodeRestriction: createNodeRestriction,
  PersistentVolumeClaimResize: createPersistentVolumeClaimResize,
  PodSecurity: createPodSecurity,
  PodTopologyLabels: createPodTopologyLabels,
  Priority: createPriority,
  ResourceQuota: createResourceQuota,
  RuntimeClass: createRuntimeClass,
  ServiceAccount: createServiceAccount,
  StorageObjectInUseProtection: createStorageObjectInUseProtection,
  TaintNodesByCondition: createTaintNodesByCondition,
};

export interface AdmissionChainOptions extends PluginSelection {
  readonly environment: PluginEnvironment;
  /** Plugins created elsewhere (webhooks, policies); an enabled one runs at the place of its name in the order. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Plugins that no flag can disable; they run before all others. */
  readonly guards?: readonly AdmissionPlugin[];
  /** Receives the duration of each plugin call. */
  readonly observer?: AdmissionObserver;
}

/** Throws a PluginSelectionError for unknown names, contradictions, and plugins that this server does not implement. */
export function checkAdmissionPlugins(asked: PluginSelection & { readonly madeElsewhere: readonly string[] }): void {
  selectPlugins(asked);
  const missing = asked.enable?.find((name) => !asked.madeElsewhere.includes(name) && FACTORIES[name] === undefined);
  if (missing !== undefined)
    throw new PluginSelectionError(`enable-admission-plugins plugin "${missing}" is not part of this server`);
}

/** Orders the enabled plugins. Throws for a plugin that is enabled by name and not implemented. */
export function createAdmissionChain(options: AdmissionChainOptions): AdmissionChain {
  const given = new Map((options.plugins ?? []).map((plugin) => [plugin.name, plugin]));
  checkAdmissionPlugins({ ...options, madeElsewhere: [...given.keys()] });
  const chosen = selectPlugins(options).flatMap(
    (name) => given.get(name) ?? FACTORIES[name]?.(options.environment) ?? [],
  );
  return chain(options.guards ?? [], chosen, options.observer);
}

function chain(
  guards: readonly AdmissionPlugin[],
  chosen: readonly AdmissionPlugin[],
  observer: AdmissionObserver | undefined,
): AdmissionChain {
  const all = [...guards, ...chosen];
  const meterFor = (type: "admit" | "validate"): FindMeter => {
    return (plugin, operation) =>
      guards.includes(plugin) ? undefined : observer?.plugin(plugin.name, type, operation);
  };
  const mutating = concerned(
    all.filter((plugin) => plugin.mutate !== undefined),
    meterFor("admit"),
  );
  const validating = concerned(
    all.filter((plugin) => plugin.validate !== undefined),
    meterFor("validate"),
  );
  return {
    async mutate(request: AdmissionRequest) {
      const memory = new Map<string, unknown>();
      let rounds = 1;
      const repeat = (): void => {
        rounds = 2;
      };
      for (let number = 0; number < rounds; number++)
        await runAll(mutating(request), (plugin) => plugin.mutate?.(request, { number, repeat, memory }));
    },
    validate: (request: AdmissionRequest) => runAll(validating(request), (plugin) => plugin.validate?.(request)),
  };
}

/** A plugin, and the meter for its durations. */
interface Concerned {
  readonly plugin: AdmissionPlugin;
  readonly meter: PluginMeter | undefined;
}

/** Runs the plugins in order. Awaits only those that return a promise: awaiting the others would take longer than running them. */
async function runAll(
  plugins: readonly Concerned[],
  run: (plugin: AdmissionPlugin) => void | Promise<void>,
): Promise<void> {
  let began = performance.now();
  for (const { plugin, meter } of plugins) {
    try {
      const waiting = run(plugin);
      if (waiting !== undefined) await waiting;
    } catch (error) {
      meter?.(performance.now() - began, true);
      throw error;
    }
    const ended = performance.now();
    meter?.(ended - began, false);
    began = ended;
  }
}

type FindMeter = (plugin: AdmissionPlugin, operation: AdmissionOperation) => PluginMeter | undefined;
type FindConcerned = (request: Pick<AdmissionRequest, "operation" | "resource">) => readonly Concerned[];

/** The plugins for an operation on a resource, cached. */
function concerned(plugins: readonly AdmissionPlugin[], meterOf: FindMeter): FindConcerned {
  const found = new Map<string, readonly Concerned[]>();
  return ({ operation, resource: { resource } }) => {
    const key = `${operation} ${resource}`;
    let chosen = found.get(key);
    if (chosen === undefined) {
      chosen = plugins
        .filter(({ operations, resources }) => operations.has(operation) && resources?.has(resource) !== false)
        .map((plugin) => ({ plugin, meter: meterOf(plugin, operation) }));
      found.set(key, chosen);
    }
    return chosen;
  };
}
