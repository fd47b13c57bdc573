import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import type { ObjectMeta } from "../../contract/api-object.ts";
import * as baseline from "./baseline-checks.ts";
import type { AnnotationKeys, Check, Finding } from "./findings.ts";
import type { LevelVersion } from "./policy-labels.ts";
import * as restricted from "./restricted-checks.ts";

interface Standard {
  readonly level: "baseline" | "restricted";
  /** Versions of the check, ascending, each with the first minor release to which it applies. */
  readonly since: readonly (readonly [minor: number, check: Check])[];
  /** Name of the less strict check that this one replaces. */
  readonly replaces?: string;
  /** Set if the check is skipped for pods in their own user namespace, if that feature is enabled. */
  readonly isForHostUsers?: true;
}

/** The Pod Security Standards, in the order in which findings are reported. */
const STANDARDS: Readonly<Record<string, Standard>> = {
  appArmorProfile: { level: "baseline", since: [[0, baseline.appArmorProfile]] },
  capabilities: { level: "baseline", since: [[0, baseline.baselineCapabilities]] },
  hostNamespaces: { level: "baseline", since: [[0, baseline.hostNamespaces]] },
  hostPathVolumes: { level: "baseline", since: [[0, baseline.hostPathVolumes]] },
  hostPorts: { level: "baseline", since: [[0, baseline.hostPorts]] },
  privileged: { level: "baseline", since: [[0, baseline.privileged]] },
  procMount: { level: "baseline", since: [[0, baseline.procMount]], isForHostUsers: true },
  seLinuxOptions: {
    level: "baseline",
    since: [
      [0, baseline.seLinuxOptions],
      [31, baseline.seLinuxOptionsSince31],
    ],
  },
  seccompProfile: {
    level: "baseline",
    since: [
      [0, baseline.seccompAnnotations],
      [19, baseline.seccompProfile],
    ],
  },
  sysctls: {
    level: "baseline",
    since: [
      [0, baseline.sysctls],
      [27, baseline.sysctlsSince27],
      [29, baseline.sysctlsSince29],
      [32, baseline.sysctlsSince32],
    ],
  },
  windowsHostProcess: { level: "baseline", since: [[0, baseline.windowsHostProcess]] },
  allowPrivilegeEscalation: {
    level: "restricted",
    since: [
      [8, restricted.allowPrivilegeEscalation],
      [25, restricted.unlessWindows(restricted.allowPrivilegeEscalation)],
    ],
  },
  restrictedCapabilities: {
    level: "restricted",
    replaces: "capabilities",
    since: [
      [22, restricted.restrictedCapabilities],
      [25, restricted.unlessWindows(restricted.restrictedCapabilities)],
    ],
  },
  restrictedVolumes: {
    level: "restricted",
    replaces: "hostPathVolumes",
    since: [[0, restricted.restrictedVolumes]],
  },
  runAsNonRoot: { level: "restricted", since: [[0, restricted.runAsNonRoot]], isForHostUsers: true },
  runAsUser: { level: "restricted", since: [[23, restricted.runAsUser]], isForHostUsers: true },
  restrictedSeccomp: {
    level: "restricted",
    replaces: "seccompProfile",
    since: [
      [19, restricted.restrictedSeccomp],
      [25, restricted.unlessWindows(restricted.restrictedSeccomp)],
    ],
  },
};

export interface CheckSettings {
  readonly keys: AnnotationKeys;
  /** Whether pods in their own user namespace may run as root, and mount /proc with any type. */
  readonly relaxesOwnUsers: boolean;
}

/** Returns all violations of a standard by a pod. */
export function evaluatePod(
  { level, version }: LevelVersion,
  spec: PodSpec,
  metadata: ObjectMeta,
  { keys, relaxesOwnUsers }: CheckSettings,
): Finding[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? Number.POSITIVE_INFINITY : Number(version.slice("v1.".length));
  const hasOwnUsers = relaxesOwnUsers && spec.hostUsers === false;
  const checks = new Map<string, Check>();
  for (const [name, standard] of Object.entries(STANDARDS)) {
    if (standard.level === "restricted" && level !== "restricted") continue;
    if (standard.isForHostUsers && hasOwnUsers) continue;
    const check = standard.since.findLast(([since]) => since <= minor)?.[1];
    if (check === undefined) continue;
    if (standard.replaces !== undefined) checks.delete(standard.replaces);
    checks.set(name, check);
  }
  return [...checks.values()].flatMap((check) => check(spec, metadata, keys) ?? []);
}

export function describeFindings(findings: readonly Finding[]): string {
  return findings.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}
