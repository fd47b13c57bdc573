/** Settings that most containers of a cluster share. */
export const CONTAINER_SETTINGS = {
  readinessProbe: {
    httpGet: { path: "/ready", port: 8080, scheme: "HTTP" },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  },
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: "IfNotPresent",
  securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
};

/** A pod as a controller creates it, about 2 KiB of JSON. */
export const samplePod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: {
    name: "web-5d9c7b6f4-x2x7q",
    generateName: "web-5d9c7b6f4-",
    namespace: "shop",
    uid: "0b1f6d5a-6c9e-4a52-9a4e-3f0f6d1c2b7a",
    resourceVersion: "123456",
    creationTimestamp: "2024-05-01T10:00:00Z",
    labels: { app: "web", "pod-template-hash": "5d9c7b6f4", tier: "front" },
    annotations: { "example.com/revision": "17", "prometheus.io/scrape": "true" },
    ownerReferences: [
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: "web-5d9c7b6f4",
        uid: "7a4e52b1-0c3d-4f6e-8a9b-1c2d3e4f5a6b",
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    volumes: [
      { name: "config", configMap: { name: "web-config", defaultMode: 420 } },
      { name: "cache", emptyDir: {} },
    ],
    containers: [
      {
        name: "web",
        image: "registry.example.com/shop/web:1.42.0",
        args: ["--listen=:8080", "--metrics=:9090"],
        ports: [
          { name: "http", containerPort: 8080, protocol: "TCP" },
          { name: "metrics", containerPort: 9090, protocol: "TCP" },
        ],
        env: [
          { name: "REGION", value: "eu-1" },
          { name: "POD_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
        ],
        resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
        volumeMounts: [
          { name: "config", mountPath: "/etc/web", readOnly: true },
          { name: "cache", mountPath: "/var/cache" },
        ],
        ...CONTAINER_SETTINGS,
      },
    ],
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    serviceAccountName: "web",
    nodeName: "node-7",
    securityContext: {},
    schedulerName: "default-scheduler",
    tolerations: [
      { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
    ],
  },
  status: {
    phase: "Running",
    conditions: [
      { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: "2024-05-01T10:00:05Z" },
      { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: "2024-05-01T10:00:00Z" },
    ],
    hostIP: "10.1.2.3",
    podIP: "10.244.7.9",
    startTime: "2024-05-01T10:00:00Z",
  },
};
