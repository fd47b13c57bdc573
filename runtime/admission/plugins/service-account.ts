import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import type { ServiceAccount as ServiceAccountKind } from "../../../api-definitions/core/v1/service-account.ts";
import type { Volume } from "../../../api-definitions/core/v1/volumes.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ObjectOf } from "../../contract/api-object.ts";
import { podReferences } from "../../values/object-references.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { environmentSecrets } from "../pod-references.ts";
import { isMirrorPod, type Pod } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

const DEFAULT_ACCOUNT = "default";
/** Number of attempts to read the default service account, which is created shortly after its namespace. */
const ATTEMPTS = 10;
const INTERVAL = 100;
/** Slightly more than an hour: the token issuer recognizes tokens for pods by this value. */
const TOKEN_SECONDS = 3607;
const READ_ONLY_FOR_ALL = 0o644;

type ServiceAccount = ObjectOf<ServiceAccountKind>;

/** Sets the service account of every pod. By default, mounts a token for it at the well-known path. */
export function createServiceAccount(environment: PluginEnvironment): AdmissionPlugin {
  const { naming, reader, delay, randomSuffix } = environment;
  const enforceSecrets = naming.key("enforce-mountable-secrets");
  const mountPath = `/var/run/secrets/${naming.vendor}.io/serviceaccount`;
  const isMirror = (pod: Pod) => isMirrorPod(pod, naming);

  async function findAccount(request: AdmissionRequest, name: string): Promise<ServiceAccount> {
    const attempts = name === DEFAULT_ACCOUNT ? ATTEMPTS : 1;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await delay(INTERVAL);
      const account = await reader.get({ group: "", resource: "serviceaccounts" }, request.namespace, name);
      if (account !== undefined) return account;
    }
    throw refuseAdmission(
      request,
      `error looking up service account ${request.namespace}/${name}: serviceaccount "${name}" not found`,
    );
  }

  /** Sets the account of a pod, and the fields that depend on it. */
  async function complete(request: AdmissionRequest, spec: PodSpec): Promise<void> {
    const accountName: string = spec.serviceAccountName || DEFAULT_ACCOUNT;
    spec.serviceAccountName = accountName;
    spec.serviceAccount = accountName;
    const account = await findAccount(request, accountName);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
      mountToken(spec, mountPath, randomSuffix);
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
      spec.imagePullSecrets = account.imagePullSecrets.map(({ name = "" }) => ({ name }));
  }

  async function check(request: AdmissionRequest, pod: Pod): Promise<void> {
    if (isMirror(pod)) return checkMirror(request, pod);
    const name = pod.spec.serviceAccountName;
    if (!name)
      throw refuseAdmission(
        request,
        `no service account specified for pod ${request.namespace}/${pod.metadata.name ?? ""}`,
      );
    const account = await findAccount(request, name);
    if (!/^(1|t|T|true|TRUE|True)$/.test(account.metadata.annotations?.[enforceSecrets] ?? "")) return;
    const complaint = forbiddenSecret(account, pod.spec, request.subresource === "ephemeralcontainers");
    if (complaint !== undefined) throw refuseAdmission(request, complaint);
  }

  return {
    name: "ServiceAccount",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods"]),
    async mutate(request) {
      if (request.operation !== "CREATE" || !isFor(request, "", "pods") || request.object === undefined) return;
      const pod = request.object as Pod;
      if (!isMirror(pod)) await complete(request, pod.spec);
      // Also checked in this phase, because other mutating plugins run later.
      await check(request, pod);
    },
    async validate(request) {
      if (request.object === undefined) return;
      const creates = request.operation === "CREATE" && isFor(request, "", "pods");
      const attaches = request.operation === "UPDATE" && isFor(request, "", "pods", "ephemeralcontainers");
      if (creates || attaches) await check(request, request.object as Pod);
    },
  };
}

/** Rejects references of mirror pods: nodes create these pods, and must not get access to secrets by them. */
function checkMirror(request: AdmissionRequest, pod: Pod): void {
  const referred = new Set(podReferences(pod.spec).map(({ resource }) => resource));
  for (const [resource, complaint] of MIRROR_COMPLAINTS)
    if (referred.has(resource)) throw refuseAdmission(request, `a mirror pod may not ${complaint}`);
}

const MIRROR_COMPLAINTS = [
  ["serviceaccounts", "reference service accounts"],
  ["secrets", "reference secrets"],
  ["serviceaccounts/token", "use ServiceAccountToken volume projections"],
] as const;

function forbiddenSecret(account: ServiceAccount, spec: PodSpec, onlyEphemeral: boolean): string | undefined {
  const name = account.metadata.name;
  const mountable = new Set((account.secrets ?? []).map((secret) => secret.name));
  const inContainers = (word: string, containers: readonly Container[] = []) => {
    for (const container of containers)
      for (const { where, secret } of environmentSecrets(container))
        if (!mountable.has(secret))
          return `${word} ${container.name} with ${where} referencing secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
    return undefined;
  };
  if (onlyEphemeral) return inContainers("ephemeral container", spec.ephemeralContainers);
  for (const volume of spec.volumes ?? []) {
    const secret = (volume.secret as { secretName?: string } | undefined)?.secretName;
    if (volume.secret !== undefined && !mountable.has(secret))
      return `volume with secret.secretName="${secret ?? ""}" is not allowed because service account ${name} does not reference that secret`;
  }
  const complaint = inContainers("init container", spec.initContainers) ?? inContainers("container", spec.containers);
  if (complaint !== undefined) return complaint;
  const pullable = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name));
  const index = (spec.imagePullSecrets ?? []).findIndex((secret) => !pullable.has(secret.name));
  if (index < 0) return undefined;
  return `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name}" is not allowed because service account ${name} does not reference that imagePullSecret`;
}

const VOLUME_PREFIX = "kube-api-access-";

function mountToken(spec: PodSpec, mountPath: string, randomSuffix: () => string): void {
  const taken = new Set((spec.volumes ?? []).map((volume) => volume.name));
  const existing = (spec.volumes ?? []).find((volume) => volume.name.startsWith(VOLUME_PREFIX));
  let name = existing?.name;
  while (name === undefined) {
    const candidate = VOLUME_PREFIX + randomSuffix();
    if (!taken.has(candidate)) name = candidate;
  }
  let needed = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
    needed = true;
  }
  if (needed && existing === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode: READ_ONLY_FOR_ALL,
    },
  };
}
