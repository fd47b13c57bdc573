import { expect } from "vitest";
import type { Anew, Removal } from "../removals-table.ts";
import { NAMESPACED } from "./paths.ts";

const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://127.0.0.1/hook" },
  rules: [{ apiGroups: ["none.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nothings"] }],
};
/** Additional required fields of v1. */
const complete = { ...webhook, sideEffects: "None", admissionReviewVersions: ["v1"] };
const { sideEffects: _sideEffects, ...withoutSideEffects } = complete;
const { admissionReviewVersions: _versions, ...withoutVersions } = complete;
const webhooksAnew: readonly Anew[] = [
  {
    body: { webhooks: [complete] },
    becomes: { webhooks: [{ failurePolicy: "Fail", matchPolicy: "Equivalent", timeoutSeconds: 10 }] },
  },
  { body: { webhooks: [withoutSideEffects] }, refused: "webhooks[0].sideEffects: Required value" },
  { body: { webhooks: [{ ...complete, sideEffects: "Some" }] }, refused: 'sideEffects: Unsupported value: "Some"' },
  { body: { webhooks: [withoutVersions] }, refused: "webhooks[0].admissionReviewVersions: Required value" },
  { body: { webhooks: [complete, complete] }, refused: "webhooks[1].name: Duplicate value" },
];
const webhookBecomes = {
  webhooks: [
    {
      name: "a.example.com",
      failurePolicy: "Ignore",
      matchPolicy: "Exact",
      timeoutSeconds: 30,
      sideEffects: "Unknown",
      admissionReviewVersions: ["v1beta1"],
    },
  ],
};
const role = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const webService = { name: "web", port: { number: 80 } };
const ingressSpec = {
  backend: { serviceName: "web", servicePort: 80 },
  rules: [{ http: { paths: [{ path: "/", backend: { serviceName: "web", servicePort: "http" } }] } }],
};
const ingressBecomes = {
  spec: {
    defaultBackend: { service: { name: "web", port: { number: 80 } } },
    rules: [
      {
        http: {
          paths: [
            {
              path: "/",
              pathType: "ImplementationSpecific",
              backend: { service: { name: "web", port: { name: "http" } } },
            },
          ],
        },
      },
    ],
  },
};

const nonResourceAttributes = { path: "/healthz", verb: "get" };
/** Returns a review for a user who is an administrator by group. The field for groups was renamed. */
const ofGroup = (field: "group" | "groups", resourceAttributes?: object) => ({
  user: "a",
  [field]: ["system:masters"],
  ...(resourceAttributes === undefined ? { nonResourceAttributes } : { resourceAttributes }),
});

function review(resource: string, kind: string, spec: object, renamed: object = spec): Removal {
  const status = { allowed: true };
  return {
    removed: "1.22",
    old: `/apis/authorization.k8s.io/v1beta1/${resource}`,
    kind,
    replacement: `/apis/authorization.k8s.io/v1/${resource}`,
    body: { spec },
    becomes: { spec, status },
    anew: [{ body: { spec: renamed }, becomes: { spec: renamed, status } }],
    virtual: true,
  };
}

/** Permissions of an administrator. */
const rules = {
  status: {
    resourceRules: expect.arrayContaining([{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]),
    incomplete: false,
  },
};
const hook = {
  webhookClientConfig: { url: "https://127.0.0.1/convert" },
  conversionReviewVersions: ["v1beta1"],
};
const toys = {
  metadata: { metadata: { name: "toys.new.example.com" } },
  spec: {
    group: "new.example.com",
    scope: "Cluster",
    names: { plural: "toys", kind: "Toy" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
/** A property without a type, which v1 rejects because it requires structural schemas. */
const unstructured = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: {} } } },
};
const request = { signerName: "example.com/signer", usages: ["client auth"] };

export const removedIn122: readonly Removal[] = [
  ...["Mutating", "Validating"].map(
    (which): Removal => ({
      removed: "1.22",
      old: `/apis/admissionregistration.k8s.io/v1beta1/${which.toLowerCase()}webhookconfigurations`,
      kind: `${which}WebhookConfiguration`,
      replacement: `/apis/admissionregistration.k8s.io/v1/${which.toLowerCase()}webhookconfigurations`,
      body: { webhooks: [webhook] },
      becomes: webhookBecomes,
      anew: webhooksAnew,
    }),
  ),
  {
    removed: "1.22",
    old: "/apis/apiregistration.k8s.io/v1beta1/apiservices",
    kind: "APIService",
    replacement: "/apis/apiregistration.k8s.io/v1/apiservices",
    body: {
      metadata: { name: "v1.old.example.com" },
      spec: { group: "old.example.com", version: "v1", groupPriorityMinimum: 10, versionPriority: 10 },
    },
  },
  {
    removed: "1.22",
    old: "/apis/authentication.k8s.io/v1beta1/tokenreviews",
    kind: "TokenReview",
    replacement: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: { spec: { token: "none" } },
    becomes: { status: { user: {} } },
    anew: [{ body: { spec: { token: "none" } }, becomes: { status: { user: {} } } }],
    virtual: true,
  },
  review("subjectaccessreviews", "SubjectAccessReview", ofGroup("group"), ofGroup("groups")),
  review(
    `${NAMESPACED}/localsubjectaccessreviews`,
    "LocalSubjectAccessReview",
    ofGroup("group", { namespace: "default", resource: "pods", verb: "get" }),
    ofGroup("groups", { namespace: "default", resource: "pods", verb: "get" }),
  ),
  review("selfsubjectaccessreviews", "SelfSubjectAccessReview", { nonResourceAttributes }),
  {
    ...review("selfsubjectrulesreviews", "SelfSubjectRulesReview", { namespace: "default" }),
    becomes: rules,
    anew: [{ body: { spec: { namespace: "default" } }, becomes: rules }],
  },
  {
    removed: "1.22",
    old: "/apis/certificates.k8s.io/v1beta1/certificatesigningrequests",
    kind: "CertificateSigningRequest",
    replacement: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    body: { spec: { request: "REQUEST" } },
    becomes: {
      spec: { signerName: "kubernetes.io/legacy-unknown", usages: ["digital signature", "key encipherment"] },
    },
    anew: [
      { body: { spec: { ...request, request: "REQUEST" } }, becomes: { spec: request } },
      { body: { spec: { usages: request.usages, request: "REQUEST" } }, refused: "spec.signerName: Required value" },
      {
        body: { spec: { ...request, signerName: "kubernetes.io/legacy-unknown", request: "REQUEST" } },
        refused: "spec.signerName: Invalid value",
      },
      {
        body: { spec: { signerName: request.signerName, request: "REQUEST" } },
        refused: "spec.usages: Required value",
      },
      {
        body: { spec: { ...request, usages: ["client auth", "client auth"], request: "REQUEST" } },
        refused: "spec.usages[1]: Duplicate value",
      },
      { body: { spec: { ...request, usages: ["odd"], request: "REQUEST" } }, refused: "spec.usages[0]: Unsupported" },
    ],
  },
  {
    removed: "1.22",
    old: `/apis/coordination.k8s.io/v1beta1/${NAMESPACED}/leases`,
    kind: "Lease",
    replacement: `/apis/coordination.k8s.io/v1/${NAMESPACED}/leases`,
    body: { spec: { holderIdentity: "me" } },
    becomes: { spec: { holderIdentity: "me" } },
  },
  ...["extensions", "networking.k8s.io"].map(
    (group): Removal => ({
      removed: "1.22",
      old: `/apis/${group}/v1beta1/${NAMESPACED}/ingresses`,
      kind: "Ingress",
      replacement: `/apis/networking.k8s.io/v1/${NAMESPACED}/ingresses`,
      body: { spec: ingressSpec },
      becomes: ingressBecomes,
      anew: [
        {
          body: { spec: { rules: [{ http: { paths: [{ path: "/", backend: { service: webService } }] } }] } },
          refused: "spec.rules[0].http.paths[0].pathType: Required value",
        },
        {
          body: {
            spec: {
              rules: [{ http: { paths: [{ path: "/", pathType: "Odd", backend: { service: webService } }] } }],
            },
          },
          refused: 'pathType: Unsupported value: "Odd"',
        },
      ],
    }),
  ),
  {
    removed: "1.22",
    old: "/apis/networking.k8s.io/v1beta1/ingressclasses",
    kind: "IngressClass",
    replacement: "/apis/networking.k8s.io/v1/ingressclasses",
    body: { spec: { controller: "example.com/ingress" } },
  },
  ...["clusterroles", `${NAMESPACED}/roles`].map(
    (resource): Removal => ({
      removed: "1.22",
      old: `/apis/rbac.authorization.k8s.io/v1beta1/${resource}`,
      kind: resource === "clusterroles" ? "ClusterRole" : "Role",
      replacement: `/apis/rbac.authorization.k8s.io/v1/${resource}`,
      body: role,
      becomes: role,
    }),
  ),
  ...["clusterrolebindings", `${NAMESPACED}/rolebindings`].map(
    (resource): Removal => ({
      removed: "1.22",
      old: `/apis/rbac.authorization.k8s.io/v1beta1/${resource}`,
      kind: resource === "clusterrolebindings" ? "ClusterRoleBinding" : "RoleBinding",
      replacement: `/apis/rbac.authorization.k8s.io/v1/${resource}`,
      body: { roleRef, subjects: [{ kind: "User", name: "ann" }] },
      becomes: { subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }] },
    }),
  ),
  {
    removed: "1.22",
    old: "/apis/scheduling.k8s.io/v1beta1/priorityclasses",
    kind: "PriorityClass",
    replacement: "/apis/scheduling.k8s.io/v1/priorityclasses",
    body: { value: 10 },
    becomes: { value: 10, preemptionPolicy: "PreemptLowerPriority" },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/storageclasses",
    kind: "StorageClass",
    replacement: "/apis/storage.k8s.io/v1/storageclasses",
    body: { provisioner: "example.com/disk" },
    becomes: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/csidrivers",
    kind: "CSIDriver",
    replacement: "/apis/storage.k8s.io/v1/csidrivers",
    body: { metadata: { name: "disk.example.com" }, spec: {} },
    becomes: { spec: { attachRequired: true } },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/csinodes",
    kind: "CSINode",
    replacement: "/apis/storage.k8s.io/v1/csinodes",
    body: { spec: { drivers: [] } },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/volumeattachments",
    kind: "VolumeAttachment",
    replacement: "/apis/storage.k8s.io/v1/volumeattachments",
    body: { spec: { attacher: "disk.example.com", nodeName: "n", source: { persistentVolumeName: "v" } } },
  },
  {
    removed: "1.22",
    old: "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions",
    kind: "CustomResourceDefinition",
    replacement: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: {
      metadata: { name: "gadgets.old.example.com" },
      spec: {
        group: "old.example.com",
        scope: "Cluster",
        versions: [
          { name: "v2", served: true, storage: true },
          { name: "v1", served: true, storage: false },
        ],
        names: { plural: "gadgets", kind: "Gadget" },
        preserveUnknownFields: false,
        validation: { openAPIV3Schema: { type: "object" } },
        conversion: { strategy: "Webhook", ...hook },
      },
    },
    becomes: {
      spec: {
        scope: "Cluster",
        versions: [
          { name: "v2", schema: { openAPIV3Schema: { type: "object" } } },
          { name: "v1", schema: { openAPIV3Schema: { type: "object" } } },
        ],
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: hook.webhookClientConfig, conversionReviewVersions: hook.conversionReviewVersions },
        },
      },
    },
    anew: [
      { body: { ...toys.metadata, spec: toys.spec }, becomes: { spec: { scope: "Cluster" } } },
      { body: { ...toys.metadata, spec: { ...toys.spec, scope: "" } }, refused: "spec.scope: Required value" },
      {
        body: { ...toys.metadata, spec: { ...toys.spec, preserveUnknownFields: true } },
        refused: "spec.preserveUnknownFields: Invalid value: true",
      },
      {
        body: { ...toys.metadata, spec: { ...toys.spec, versions: [{ name: "v1", served: true, storage: true }] } },
        refused: "spec.versions[0].schema.openAPIV3Schema: Required value",
      },
      {
        body: { ...toys.metadata, spec: { ...toys.spec, versions: [unstructured] } },
        refused: "openAPIV3Schema.properties[spec].type: Required value",
      },
    ],
  },
  {
    removed: "1.22",
    old: "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions",
    kind: "CustomResourceDefinition",
    replacement: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: {
      metadata: { name: "widgets.old.example.com" },
      spec: {
        group: "old.example.com",
        version: "v1",
        names: { plural: "widgets", kind: "Widget" },
        preserveUnknownFields: false,
        validation: { openAPIV3Schema: { type: "object" } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: "Size", type: "integer", JSONPath: ".spec.size" }],
      },
    },
    becomes: {
      spec: {
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object" } },
            subresources: { status: {} },
            additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
          },
        ],
      },
    },
  },
];
