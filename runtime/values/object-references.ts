type Fields = Readonly<Record<string, unknown>>;

/** An object that another object references. */
export interface ObjectReference {
  /** Plural name of the kind, such as `secrets`. For a subresource: `serviceaccounts/token`. */
  readonly resource: string;
  /** `""` if the field is set but contains no name. */
  readonly name: string;
  /** Set only if the field has its own namespace. */
  readonly namespace?: string;
}

const inContainers = {
  "env.valueFrom.secretKeyRef": "secrets",
  "envFrom.secretRef": "secrets",
  "env.valueFrom.configMapKeyRef": "configmaps",
  "envFrom.configMapRef": "configmaps",
};

const below = (prefix: string, paths: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(paths).map(([path, resource]) => [`${prefix}.${path}`, resource]));

/**
 * Every field of a pod's specification that references an object, with the resource that it references. Admission and the node authorizer both
 * use this table, so that they agree. A test compares it with the types.
 */
export const POD_REFERENCES: Readonly<Record<string, string>> = {
  serviceAccountName: "serviceaccounts",
  serviceAccount: "serviceaccounts",
  imagePullSecrets: "secrets",
  ...below("initContainers", inContainers),
  ...below("containers", inContainers),
  ...below("ephemeralContainers", inContainers),
  "volumes.secret": "secrets",
  "volumes.azureFile": "secrets",
  "volumes.cephfs.secretRef": "secrets",
  "volumes.cinder.secretRef": "secrets",
  "volumes.csi.nodePublishSecretRef": "secrets",
  "volumes.flexVolume.secretRef": "secrets",
  "volumes.iscsi.secretRef": "secrets",
  "volumes.rbd.secretRef": "secrets",
  "volumes.scaleIO.secretRef": "secrets",
  "volumes.storageos.secretRef": "secrets",
  "volumes.projected.sources.secret": "secrets",
  "volumes.configMap": "configmaps",
  "volumes.projected.sources.configMap": "configmaps",
  "volumes.projected.sources.serviceAccountToken": "serviceaccounts/token",
  "volumes.projected.sources.clusterTrustBundle": "clustertrustbundles",
  "volumes.persistentVolumeClaim": "persistentvolumeclaims",
  "resourceClaims.resourceClaimName": "resourceclaims",
  "resourceClaims.resourceClaimTemplateName": "resourceclaimtemplates",
};

/** The secrets that kubelets need to mount a PersistentVolume. Excludes those of controllers (`csi.controller…`). */
export const VOLUME_REFERENCES: Readonly<Record<string, string>> = {
  azureFile: "secrets",
  "cephfs.secretRef": "secrets",
  "cinder.secretRef": "secrets",
  "csi.nodeExpandSecretRef": "secrets",
  "csi.nodePublishSecretRef": "secrets",
  "csi.nodeStageSecretRef": "secrets",
  "flexVolume.secretRef": "secrets",
  "iscsi.secretRef": "secrets",
  "rbd.secretRef": "secrets",
  "scaleIO.secretRef": "secrets",
  "storageos.secretRef": "secrets",
};

const pod = compile(POD_REFERENCES);
const volume = compile(VOLUME_REFERENCES);

/** Returns all references of a pod's specification, in the order of the table. */
export function podReferences(spec: object | undefined): ObjectReference[] {
  return collect(spec, pod, []);
}

/** Returns the references of a PersistentVolume's specification that a kubelet needs. */
export function volumeReferences(spec: object | undefined): ObjectReference[] {
  return collect(spec, volume, []);
}

/** The paths as a tree. Lists between fields are traversed. */
interface Step {
  resource?: string;
  readonly fields: Map<string, Step>;
}

function compile(paths: Readonly<Record<string, string>>): Step {
  const root: Step = { fields: new Map() };
  for (const [path, resource] of Object.entries(paths)) {
    let step = root;
    for (const field of path.split(".")) {
      const next: Step = step.fields.get(field) ?? { fields: new Map() };
      step.fields.set(field, next);
      step = next;
    }
    step.resource = resource;
  }
  return root;
}

function collect(value: unknown, step: Step, found: ObjectReference[]): ObjectReference[] {
  if (value === undefined || value === null || value === "") return found;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, step, found);
    return found;
  }
  if (step.resource !== undefined) found.push(referenceOf(step.resource, value));
  else for (const [field, next] of step.fields) collect((value as Fields)[field], next, found);
  return found;
}

/** Reads a reference: a plain name, or a struct that contains one. */
function referenceOf(resource: string, value: unknown): ObjectReference {
  if (typeof value === "string") return { resource, name: value };
  const { name, secretName, claimName, namespace, secretNamespace } = value as Fields;
  const own = namespace ?? secretNamespace;
  return {
    resource,
    name: String(name ?? secretName ?? claimName ?? ""),
    ...(typeof own === "string" && own !== "" && { namespace: own }),
  };
}
