/** A running pod as its kubelet reports it, with managedFields: about six KiB of JSON. */
export function podJson(index: number, resourceVersion: number): string {
  const name = `web-${index % 97}-${(index * 7919).toString(36)}`;
  const uid = `3f0c${index.toString(16).padStart(8, "0")}-77aa-4b1c-9d1e`;
  const time = "2030-01-01T00:00:00Z";
  const owner = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: `web-${index % 97}`,
    uid: `rs-${index % 97}`,
    controller: true,
  };
  const labels = { app: `web-${index % 97}`, "pod-template-hash": `h${index % 97}`, tier: "frontend" };
  const annotations = {
    "prometheus.io/scrape": "true",
    "prometheus.io/port": "9090",
    "example.com/build": `build-${index % 13} of the main branch`,
  };
  const token = { name: "kube-api-access", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true };
  const container = (which: string) => ({
    name: which,
    image: `registry.example.com/team/${which}:1.27.3`,
    args: ["--listen=:8080", `--shard=${index}`, "--log-level=info"],
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    env: [
      { name: "POD_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
      { name: "REGION", value: "eu-central-1" },
    ],
    resources: { limits: { cpu: "1", memory: "512Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
    volumeMounts: [token],
    livenessProbe: {
      httpGet: { path: "/healthz", port: "http", scheme: "HTTP" },
      periodSeconds: 10,
      timeoutSeconds: 1,
    },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
  });
  const condition = (type: string) => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: time });
  const containers = ["main", "proxy"];
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      generateName: `web-${index % 97}-`,
      namespace: `team-${index % 20}`,
      uid,
      resourceVersion: String(resourceVersion),
      creationTimestamp: time,
      labels,
      annotations,
      ownerReferences: [owner],
      managedFields: managedFields(containers, time),
    },
    spec: {
      volumes: [
        {
          name: "kube-api-access",
          projected: {
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: "token" } }],
            defaultMode: 420,
          },
        },
      ],
      containers: containers.map(container),
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: "default",
      nodeName: `node-${index % 200}.example.internal`,
      schedulerName: "default-scheduler",
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
        { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
      ],
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
    },
    status: {
      phase: "Running",
      conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map(
        condition,
      ),
      hostIP: `10.1.0.${index % 200}`,
      podIP: `10.2.${index >> 8}.${index % 256}`,
      podIPs: [{ ip: `10.2.${index >> 8}.${index % 256}` }],
      startTime: time,
      containerStatuses: containers.map((which) => ({
        name: which,
        state: { running: { startedAt: time } },
        lastState: {},
        ready: true,
        // Differs after each change, because the versions of a pod differ by the number of pods.
        restartCount: resourceVersion % 7,
        image: `registry.example.com/team/${which}:1.27.3`,
        imageID: `registry.example.com/team/${which}@sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef`,
        containerID: `containerd://${uid}${which}`,
        started: true,
      })),
      qosClass: "Burstable",
    },
  });
}

/** The fields that the controller and the kubelet own. */
function managedFields(containers: readonly string[], time: string): object[] {
  const empty = {};
  const ownedContainer = {
    ".": empty,
    "f:args": empty,
    "f:env": {
      ".": empty,
      'k:{"name":"POD_NAME"}': { ".": empty, "f:name": empty, "f:valueFrom": { ".": empty, "f:fieldRef": empty } },
    },
    "f:image": empty,
    "f:imagePullPolicy": empty,
    "f:livenessProbe": {
      ".": empty,
      "f:httpGet": { ".": empty, "f:path": empty, "f:port": empty },
      "f:periodSeconds": empty,
    },
    "f:name": empty,
    "f:ports": {
      ".": empty,
      'k:{"containerPort":8080,"protocol":"TCP"}': { ".": empty, "f:containerPort": empty, "f:name": empty },
    },
    "f:resources": { ".": empty, "f:limits": { ".": empty, "f:cpu": empty, "f:memory": empty } },
    "f:terminationMessagePath": empty,
    "f:terminationMessagePolicy": empty,
  };
  const condition = {
    ".": empty,
    "f:lastProbeTime": empty,
    "f:lastTransitionTime": empty,
    "f:status": empty,
    "f:type": empty,
  };
  const entry = { apiVersion: "v1", time, fieldsType: "FieldsV1", operation: "Update" };
  return [
    {
      manager: "kube-controller-manager",
      ...entry,
      fieldsV1: {
        "f:metadata": {
          "f:annotations": empty,
          "f:generateName": empty,
          "f:labels": { ".": empty, "f:app": empty, "f:tier": empty },
        },
        "f:spec": {
          "f:containers": Object.fromEntries(containers.map((name) => [`k:{"name":"${name}"}`, ownedContainer])),
          "f:dnsPolicy": empty,
          "f:enableServiceLinks": empty,
          "f:restartPolicy": empty,
          "f:schedulerName": empty,
          "f:terminationGracePeriodSeconds": empty,
        },
      },
    },
    {
      manager: "kubelet",
      ...entry,
      fieldsV1: {
        "f:status": {
          "f:conditions": Object.fromEntries(
            ["ContainersReady", "Initialized", "Ready"].map((type) => [`k:{"type":"${type}"}`, condition]),
          ),
          "f:containerStatuses": empty,
          "f:hostIP": empty,
          "f:phase": empty,
          "f:podIP": empty,
          "f:startTime": empty,
        },
      },
      subresource: "status",
    },
  ];
}
