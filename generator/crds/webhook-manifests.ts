import type { KindModel } from "../model/model.ts";
import { atPath, type WebhookClient, type WrittenDefinition } from "./custom-definition.ts";

/** Paths at which `typeplane webhook` serves admission reviews. */
const MUTATE_PATH = "/mutate";
const VALIDATE_PATH = "/validate";

type Manifest = { readonly [key: string]: unknown };

/**
 * Returns what the cluster needs besides the definitions: admission webhooks of kinds with hooks, and, if `typeplane webhook` runs in the
 * cluster, a Service and a Deployment for it. The project provides the image and the Secret with the certificate.
 */
export function webhookManifests(
  project: string,
  written: readonly WrittenDefinition[],
  client: WebhookClient,
): Manifest[] {
  const hooked = written.filter(({ hooks }) => hooks.length > 0);
  const isNeeded = hooked.length > 0 || written.some(({ converts }) => converts);
  if (!isNeeded) return [];
  return [
    ...(hooked.length > 0 ? [mutating(project, hooked, client), validating(project, hooked, client)] : []),
    ...(client.service === undefined ? [] : inCluster(client.service)),
  ];
}

function mutating(project: string, hooked: readonly WrittenDefinition[], client: WebhookClient): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: project },
    webhooks: hooked.flatMap(({ definition, hooks }) =>
      hooks.map((kind) => {
        const isStored = definition.spec.versions.some(({ name, storage }) => storage && name === kind.version);
        return {
          name: `${isStored ? "" : `${kind.version}.`}default.${definition.metadata.name}`,
          ...shared(kind, atPath(client, MUTATE_PATH), isStored ? "Equivalent" : "Exact"),
          reinvocationPolicy: "IfNeeded",
        };
      }),
    ),
  };
}

/** Returns the validating webhooks. The cluster converts objects to the stored version before it calls them. */
function validating(project: string, hooked: readonly WrittenDefinition[], client: WebhookClient): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: project },
    webhooks: hooked.flatMap(({ definition, hooks }) => {
      const stored = definition.spec.versions.find(({ storage }) => storage)?.name;
      const kind = hooks.find(({ version }) => version === stored);
      if (kind === undefined) return [];
      return [
        { name: `validate.${definition.metadata.name}`, ...shared(kind, atPath(client, VALIDATE_PATH), "Equivalent") },
      ];
    }),
  };
}

function shared(kind: KindModel, clientConfig: WebhookClient, matchPolicy: "Equivalent" | "Exact"): Manifest {
  const status = kind.subresources.some(({ name }) => name === "status") ? [`${kind.plural}/status`] : [];
  return {
    clientConfig,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    matchPolicy,
    failurePolicy: "Fail",
    timeoutSeconds: 10,
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        operations: ["CREATE", "UPDATE"],
        resources: [kind.plural, ...status],
        scope: kind.namespaced ? "Namespaced" : "Cluster",
      },
    ],
  };
}

const PORT = 9443;

function inCluster({ namespace, name, port = 443 }: NonNullable<WebhookClient["service"]>): Manifest[] {
  const labels = { "app.kubernetes.io/name": name };
  const container = {
    name: "webhook",
    image: `${name}:latest`,
    args: ["webhook", `--port=${PORT}`, "--tls-cert-file=/tls/tls.crt", "--tls-private-key-file=/tls/tls.key"],
    ports: [{ name: "https", containerPort: PORT }],
    readinessProbe: { httpGet: { path: "/readyz", port: "https", scheme: "HTTPS" } },
    livenessProbe: { httpGet: { path: "/healthz", port: "https", scheme: "HTTPS" } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
    volumeMounts: [{ name: "tls", mountPath: "/tls", readOnly: true }],
  };
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, name, labels },
      spec: { selector: labels, ports: [{ name: "https", port, targetPort: "https" }] },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace, name, labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [container], volumes: [{ name: "tls", secret: { secretName: `${name}-tls` } }] },
        },
      },
    },
  ];
}
