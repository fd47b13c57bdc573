import type { ApiObject } from "../contract/api-object.ts";
import type { Naming } from "../contract/naming.ts";

/** Amounts by resource name, each the text of a quantity. */
export type ResourceList = Record<string, string>;

export interface ResourceRequirements {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: { name: string }[];
}

export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly?: boolean;
}

export interface EnvVar {
  name: string;
  valueFrom?: { secretKeyRef?: { name?: string }; configMapKeyRef?: { name?: string } };
}

export interface EnvFrom {
  secretRef?: { name?: string };
  configMapRef?: { name?: string };
}

export interface SecurityContext {
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  capabilities?: { add?: string[]; drop?: string[] };
  procMount?: string;
  runAsNonRoot?: boolean;
  runAsUser?: number;
  seccompProfile?: { type: string };
  appArmorProfile?: { type: string };
  seLinuxOptions?: { type?: string; user?: string; role?: string };
  windowsOptions?: { hostProcess?: boolean };
  sysctls?: { name: string }[];
}

export interface Container {
  name: string;
  restartPolicy?: string;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMount[];
  env?: EnvVar[];
  envFrom?: EnvFrom[];
  ports?: { hostPort?: number }[];
  securityContext?: SecurityContext;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface Volume {
  name: string;
  [source: string]: unknown;
}

/** The fields of a pod's specification that admission looks at or sets. */
export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
  resourceClaims?: { name: string }[];
  serviceAccountName?: string;
  /** The old name of serviceAccountName; always the same. */
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  imagePullSecrets?: { name?: string }[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
  runtimeClassName?: string;
  overhead?: ResourceList;
  resources?: ResourceRequirements;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  activeDeadlineSeconds?: number;
  affinity?: { podAffinity?: unknown; podAntiAffinity?: unknown };
  os?: { name: string };
  securityContext?: SecurityContext;
}

export interface Pod extends ApiObject {
  spec: PodSpec;
  status?: { phase?: string; resourceClaimStatuses?: { name: string; resourceClaimName?: string }[] };
}

/** Whether a kubelet made it to show a pod that it runs from a file. */
export function isMirrorPod({ metadata }: ApiObject, naming: Naming): boolean {
  return metadata.annotations?.[`${naming.vendor}.io/config.mirror`] !== undefined;
}

/** Init containers, then containers, then ephemeral ones, each with the word messages use for it. */
export function* allContainers(spec: PodSpec): Generator<Container> {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}
