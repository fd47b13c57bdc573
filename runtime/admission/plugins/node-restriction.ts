import { isDeepStrictEqual } from "node:util";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { podReferences } from "../../values/object-references.ts";
import { notFound } from "../../values/status-errors.ts";
import { readCertificateRequest } from "../../x509/certificate-request.ts";
import { forbiddenNodeLabels } from "../node-labels.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { podReferencesAudience } from "../pod-audiences.ts";
import { isMirrorPod, type Pod } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { WRITES } from "../requests.ts";

type Rule = (node: string, request: AdmissionRequest) => void | Promise<void>;

/** Restricts the writes of a kubelet to its own Node, its own pods and their objects. */
export function createNodeRestriction(environment: PluginEnvironment): AdmissionPlugin {
  const { naming, reader, authorizer, featureEnabled } = environment;
  const mirror = `${naming.vendor}.io/config.mirror`;
  const pods = { group: "", resource: "pods" };
  const nodeSigners = [naming.key("kubelet-serving"), naming.key("kube-apiserver-client-kubelet")];

  async function findPod(request: AdmissionRequest, name: string): Promise<Pod> {
    const pod = await reader.get(pods, request.namespace, name);
    if (pod === undefined) throw notFound(POD, name);
    return pod as Pod;
  }

  const admitPod: Rule = async (node, request) => {
    switch (`${request.subresource} ${request.operation}`) {
      case " CREATE":
        return admitMirrorPod(node, request);
      case " DELETE":
        if ((await findPod(request, request.name)).spec.nodeName !== node)
          throw refuseAdmission(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
        return;
      case "status UPDATE":
        return admitPodStatus(node, request);
      case "eviction CREATE": {
        const name = request.name || request.object?.metadata.name;
        if (!name) throw refuseAdmission(request, "could not determine pod from request data");
        if ((await findPod(request, name)).spec.nodeName !== node)
          throw refuseAdmission(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
        return;
      }
    }
    if (request.subresource === "")
      throw refuseAdmission(
        request,
        `unexpected operation "${request.operation}", node "${node}" can only create and delete mirror pods`,
      );
    if (request.subresource === "status" || request.subresource === "eviction")
      throw refuseAdmission(request, `unexpected operation "${request.operation}"`);
    throw refuseAdmission(
      request,
      `unexpected pod subresource "${request.subresource}", only 'status' and 'eviction' are allowed`,
    );
  };

  const admitMirrorPod: Rule = async (node, request) => {
    const { metadata, spec } = request.object as Pod;
    const refuse = (why: string) => refuseAdmission(request, why);
    if (!isMirrorPod(request.object as Pod, naming))
      throw refuse(`pod does not have "${mirror}" annotation, node "${node}" can only create mirror pods`);
    if (spec.nodeName !== node) throw refuse(`node "${node}" can only create pods with spec.nodeName set to itself`);
    const owners = metadata.ownerReferences ?? [];
    if (owners.length > 1)
      throw refuse(`node "${node}" can only create pods with a single owner reference set to itself`);
    const [owner] = owners;
    if (owner === undefined || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node)
      throw refuse(`node "${node}" can only create pods with an owner reference set to itself`);
    if (!owner.controller)
      throw refuse(`node "${node}" can only create pods with a controller owner reference set to itself`);
    if (owner.blockOwnerDeletion) throw refuse(`node "${node}" must not set blockOwnerDeletion on an owner reference`);
    const stored = await reader.get({ group: "", resource: "nodes" }, "", node);
    if (stored === undefined) throw notFound(NODE, node);
    if (owner.uid !== stored.metadata.uid)
      throw refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${stored.metadata.uid}`);
    const cannot = (what: string) => refuse(`node "${node}" can not create pods that reference ${what}`);
    const referred = new Set(podReferences(spec).map(({ resource }) => resource));
    // A mirror pod is not scheduled, so nothing has allocated its claims (CVE-2025-4563).
    if ((spec.resourceClaims?.length ?? 0) > 0) referred.add("resourceclaims");
    const first = [...Object.keys(REFERRED), ...referred].find((resource) => referred.has(resource));
    if (first !== undefined) throw cannot(REFERRED[first] ?? first);
  };

  const admitNode: Rule = (node, request) => {
    const { object, oldObject, operation, name } = request;
    if (name !== node) throw refuseAdmission(request, `node "${node}" is not allowed to modify node "${name}"`);
    if (object === undefined) return;
    const configSource = (each: ApiObject | undefined) => (each?.spec as NodeSpec | undefined)?.configSource;
    const taints = (each: ApiObject | undefined) => (each?.spec as NodeSpec | undefined)?.taints ?? [];
    const owners = (each: ApiObject | undefined) => each?.metadata.ownerReferences ?? [];
    const sourceChanged = !isDeepStrictEqual(configSource(object), configSource(oldObject));
    if (configSource(object) !== undefined && sourceChanged)
      throw refuseAdmission(
        request,
        operation === "CREATE"
          ? `node "${node}" is not allowed to create pods with a non-nil configSource`
          : `node "${node}" is not allowed to update configSource to a new non-nil configSource`,
      );
    if (operation === "UPDATE" && !isDeepStrictEqual(taints(object), taints(oldObject)))
      throw refuseAdmission(request, `node "${node}" is not allowed to modify taints`);
    // The garbage collector deletes a node whose owners do not exist (CVE-2025-5187). A new node needs no owners.
    if (!isDeepStrictEqual(owners(object), owners(oldObject)))
      throw refuseAdmission(request, `node "${node}" is not allowed to modify ownerReferences`);
    const labels = forbiddenNodeLabels(naming, object.metadata.labels, oldObject?.metadata.labels);
    if (labels.length === 0) return;
    throw refuseAdmission(
      request,
      operation === "CREATE"
        ? `node "${node}" is not allowed to set the following labels: ${labels.join(", ")}`
        : `is not allowed to modify labels: ${labels.join(", ")}`,
    );
  };

  const admitToken: Rule = async (node, request) => {
    if (request.operation !== "CREATE" || request.subresource !== "token") return;
    const spec = (request.object?.spec ?? {}) as {
      audiences?: string[];
      boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string };
    };
    const ref = spec.boundObjectRef;
    if (ref?.apiVersion !== "v1" || ref.kind !== "Pod" || !ref.name)
      throw refuseAdmission(request, "node requested token not bound to a pod");
    if (!ref.uid) throw refuseAdmission(request, "node requested token with a pod binding without a uid");
    const pod = await findPod(request, ref.name);
    if (pod.metadata.uid !== ref.uid)
      throw refuseAdmission(
        request,
        `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    if (pod.spec.nodeName !== node)
      throw refuseAdmission(request, "node requested token bound to a pod scheduled on a different node");
    if (featureEnabled("ServiceAccountNodeAudienceRestriction"))
      await checkAudience(request, pod, spec.audiences ?? []);
  };

  async function checkAudience(request: AdmissionRequest, pod: Pod, audiences: readonly string[]): Promise<void> {
    if (audiences.length > 1) throw refuseAdmission(request, "node may only request 0 or 1 audiences");
    const [audience = ""] = audiences;
    const found = await podReferencesAudience(pod, audience, reader, naming);
    if (found === true) return;
    if (found !== false) throw refuseAdmission(request, `error validating audience "${audience}": ${found}`);
    const { user, namespace, name } = request;
    const verb = "request-serviceaccounts-token-audience";
    const asked = { user, verb, group: "", version: "v1", resource: audience, subresource: "", namespace, name };
    if ((await authorizer.authorize(asked)).decision === "allow") return;
    throw refuseAdmission(
      request,
      `audience "${audience}" not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`,
    );
  }

  const rules: Readonly<Record<string, Rule>> = {
    "/pods": admitPod,
    "/nodes": admitNode,
    "/persistentvolumeclaims": admitClaimStatus(() => featureEnabled("RecoverVolumeExpansionFailure")),
    "/serviceaccounts": admitToken,
    [`${naming.group("coordination")}/leases`]: (node, request) => {
      if (request.namespace !== "kube-node-lease")
        throw refuseAdmission(request, 'can only access leases in the "kube-node-lease" system namespace');
      if ((request.name || request.object?.metadata.name) !== node)
        throw refuseAdmission(request, "can only access node lease with the same name as the requesting node");
    },
    [`${naming.group("storage")}/csinodes`]: (node, request) => {
      if ((request.name || request.object?.metadata.name) !== node)
        throw refuseAdmission(request, "can only access CSINode with the same name as the requesting node");
    },
    [`${naming.group("resource")}/resourceslices`]: (node, request) => {
      // The node authorizer has already checked reads and updates, since it knows the existing slices.
      if (request.operation === "UPDATE") return;
      const { nodeName } = ((request.object ?? request.oldObject)?.spec ?? {}) as { nodeName?: string };
      const verb = request.operation === "CREATE" ? "create" : "delete";
      if (nodeName !== node)
        throw refuseAdmission(request, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
    },
    [`${naming.group("certificates")}/certificatesigningrequests`]: (node, request) => {
      if (request.operation !== "CREATE" || featureEnabled("AllowInsecureKubeletCertificateSigningRequests")) return;
      const { signerName = "", request: pem = "" } = (request.object?.spec ?? {}) as Record<string, string>;
      if (!nodeSigners.includes(signerName)) return;
      const wanted = readCertificateRequest(pem);
      if (wanted === undefined)
        throw refuseAdmission(request, "unable to parse csr: PEM block type must be CERTIFICATE REQUEST");
      if (wanted.commonName !== `${NODE_PREFIX}${node}`)
        throw refuseAdmission(request, `can only create a node CSR with CN=${NODE_PREFIX}${node}`);
    },
  };

  return {
    name: "NodeRestriction",
    operations: WRITES,
    async mutate(request) {
      if (!isNode(request.user)) return;
      const node = request.user.name.slice(NODE_PREFIX.length);
      if (node === "") throw refuseAdmission(request, `could not determine node from user "${request.user.name}"`);
      await rules[`${request.resource.group}/${request.resource.resource}`]?.(node, request);
    },
  };
}

/** Resource names as they appear in messages about missing objects. */
const POD = { group: "", resource: "pod" };
const NODE = { group: "", resource: "node" };

const NODE_PREFIX = "system:node:";

interface NodeSpec {
  readonly taints?: readonly unknown[];
  readonly configSource?: unknown;
}

/** Resources to which a mirror pod must not refer, in reporting order, with their names in messages. */
const REFERRED: Readonly<Record<string, string>> = {
  serviceaccounts: "a service account",
  secrets: "secrets",
  configmaps: "configmaps",
  clustertrustbundles: "clustertrustbundles",
  persistentvolumeclaims: "persistentvolumeclaims",
  resourceclaims: "resourceclaims",
  "serviceaccounts/token": "a service account",
};

function isNode({ name, groups }: UserInfo): boolean {
  return name.startsWith(NODE_PREFIX) && groups.includes("system:nodes");
}

const admitPodStatus: Rule = (node, request) => {
  const [pod, old] = [request.object as Pod, request.oldObject as Pod];
  if (old.spec.nodeName !== node)
    throw refuseAdmission(
      request,
      `node "${node}" can only update pod status for pods with spec.nodeName set to itself`,
    );
  if (!isDeepStrictEqual(pod.metadata.labels ?? {}, old.metadata.labels ?? {}))
    throw refuseAdmission(request, `node "${node}" cannot update labels through pod status`);
  // A node may read the claims that are named here, so it must not change them.
  if (!isDeepStrictEqual(claimStatuses(pod), claimStatuses(old)))
    throw refuseAdmission(request, `node "${node}" cannot update resource claim statues`);
};

function claimStatuses({ status }: Pod): unknown[] {
  return (status?.resourceClaimStatuses ?? []).map(({ name, resourceClaimName }) => [name, resourceClaimName]);
}

const admitClaimStatus =
  (recoversExpansion: () => boolean): Rule =>
  (node, request) => {
    if (request.subresource !== "status") throw refuseAdmission(request, "may only update PVC status");
    if (request.operation !== "UPDATE") throw refuseAdmission(request, `unexpected operation "${request.operation}"`);
    const own = ["capacity", "conditions"];
    if (recoversExpansion()) own.push("allocatedResources", "allocatedResourceStatuses");
    const fixed = (object: ApiObject | undefined) => {
      const { resourceVersion: _, managedFields: __, ...metadata } = object?.metadata ?? {};
      const status = Object.entries(object?.status ?? {}).filter(([field]) => !own.includes(field));
      return { ...object, metadata, status: Object.fromEntries(status) };
    };
    if (!isDeepStrictEqual(fixed(request.object), fixed(request.oldObject)))
      throw refuseAdmission(
        request,
        `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`,
      );
  };
