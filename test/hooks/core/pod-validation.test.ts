import { describe, expect, it } from "vitest";
import { hooks as deploymentHooks } from "../../../api-definitions/apps/v1/deployment.hooks.ts";
import { hooks } from "../../../api-definitions/core/v1/pod.hooks.ts";
import { noteGivenEmpty } from "../../../runtime/go/source-notes.ts";
import { contextWith, prepared, preparedChange, problemsOf, problemsOfChange, warningsOf } from "./run-hooks.ts";

const container = { name: "main", image: "a:1", terminationMessagePolicy: "File", imagePullPolicy: "Always" };
const pod = (spec: object, metadata: object = {}) => ({
  metadata: { name: "p", ...metadata },
  spec: { containers: [container], restartPolicy: "Always", dnsPolicy: "Default", serviceAccountName: "a", ...spec },
});
const problems = (spec: object, metadata: object = {}) => problemsOf(hooks, pod(spec, metadata));
const template = (spec: object) => ({
  metadata: { name: "d" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    strategy: { type: "Recreate" },
    template: { ...pod(spec), metadata: { labels: { a: "b" } } },
  },
});

describe("huge pages in resources of a container", () => {
  const ofContainer = (limits: object, requests: object = {}) =>
    problems({ containers: [{ ...container, resources: { limits, requests } }] });

  it.each(["foo", "", "0", "1m", "-1", "2Mi2"])("are refused if their size is %j", (size) => {
    const name = `hugepages-${size}`;
    const refused = `${name}]: Invalid value: "1": 1 is not positive integer multiple of ${name}`;
    expect(ofContainer({ cpu: "1", [name]: "1" }).filter((problem) => !problem.includes("regex"))).toEqual([
      `spec.containers[0].resources.limits[${refused}`,
    ]);
  });

  it("have a limit that equals the request, which is told before what else is wrong with the request", () => {
    expect(ofContainer({ cpu: "1", "hugepages-2Mi": "2Mi" }, { "hugepages-2Mi": "1Mi" })).toEqual([
      'spec.containers[0].resources.requests: Invalid value: "1Mi": must be equal to hugepages-2Mi limit of 2Mi',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-2Mi',
    ]);
  });
});

describe("the image of a container", () => {
  it.each(["a:1\u0085", "\u00a0a:1", "a:1\n"])("is refused with white space around it: %j", (image) => {
    expect(problems({ containers: [{ ...container, image }] })).toEqual([
      expect.stringMatching(/^spec.containers\[0\].image: .*must not have leading or trailing whitespace$/),
    ]);
  });

  it("may begin with a byte order mark, which is no white space to Go", () => {
    expect(problems({ containers: [{ ...container, image: "\ufeffa:1" }] })).toEqual([]);
  });
});

describe("a volume", () => {
  const iqn = "iqn.2001-04.com.example:storage.disk2";
  const claim = { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } };

  it("of iSCSI has a short name and portal if it has an initiator", () => {
    const source = { targetPortal: "p".repeat(62), iqn, lun: 0 };
    expect(problems({ volumes: [{ name: "vv", iscsi: source }] })).toEqual([]);
    expect(problems({ volumes: [{ name: "v", iscsi: { ...source, initiatorName: iqn } }] })).toEqual([]);
    expect(problems({ volumes: [{ name: "vv", iscsi: { ...source, initiatorName: iqn } }] })).toEqual([
      'spec.volumes[0].name: Invalid value: "vv": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ]);
  });

  it("that is not the first one of its kinds needs no name for a claim", () => {
    const volume = { name: "v".repeat(60), emptyDir: {}, ephemeral: { volumeClaimTemplate: claim } };
    expect(problems({ volumes: [volume] }, { name: "p".repeat(240) })).toEqual([
      "spec.volumes[0].ephemeral: Forbidden: may not specify more than 1 volume type",
    ]);
  });

  it("with a template of a claim refuses empty lists in its metadata", () => {
    const metadata = { name: "n" };
    noteGivenEmpty(metadata, "ownerReferences", []);
    const at = "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata";
    expect(problems({ volumes: [{ name: "v", ephemeral: { volumeClaimTemplate: { metadata, ...claim } } }] })).toEqual([
      `${at}.name: Forbidden: cannot be set`,
      `${at}.ownerReferences: Forbidden: cannot be set`,
    ]);
  });

  it("of Quobyte has no brackets in a port", () => {
    const registry = (text: string) => problems({ volumes: [{ name: "v", quobyte: { registry: text, volume: "v" } }] });
    expect(registry("a:1,[::1]:x")).toEqual([]);
    expect(registry("a:[1")).toHaveLength(1);
  });
});

describe("mounts and devices with the same name", () => {
  it("count with the path of the last one", () => {
    const device = (devicePath: string) => ({ name: "d", devicePath });
    const spec = {
      volumes: [
        { name: "d", persistentVolumeClaim: { claimName: "c" } },
        { name: "m", emptyDir: {} },
      ],
      containers: [
        {
          ...container,
          volumeDevices: [device("/a"), device("/b")],
          volumeMounts: [{ name: "m", mountPath: "/a" }],
        },
      ],
    };
    expect(problems(spec)).toEqual([
      'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
      'spec.containers[0].volumeDevices[1].name: Invalid value: "d": must be unique',
    ]);
  });
});

describe("DNS settings of a pod", () => {
  const servers = (...nameservers: string[]) => problems({ dnsConfig: { nameservers } });

  it("allow addresses with leading zeros, and refuse those with a zone", () => {
    expect(servers("010.8.8.8", "::ffff:1.2.3.4")).toEqual([]);
    expect(servers("fe80::1%eth0")).toEqual([
      'spec.dnsConfig.nameservers[0]: Invalid value: "fe80::1%eth0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });
});

describe("a pod for Windows", () => {
  const windows = (spec: object) => problems({ os: { name: "windows" }, ...spec });

  it.each(["hostUsers", "shareProcessNamespace"])("cannot set %s, not even to false", (field) => {
    expect(windows({ [field]: false })).toEqual([`spec.${field}: Forbidden: cannot be set for a windows pod`]);
  });

  it("can set hostPID and hostIPC to false", () => {
    expect(windows({ hostPID: false, hostIPC: false })).toEqual([]);
  });

  it("cannot set supplementalGroups, not even to an empty list", () => {
    const securityContext = {};
    noteGivenEmpty(securityContext, "supplementalGroups", []);
    noteGivenEmpty(securityContext, "sysctls", []);
    expect(windows({ securityContext })).toEqual([
      "spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod",
    ]);
  });

  it.each([
    ["-abcdefghijklmnopqrst\\u", "Domain doesn't match the NetBios nor the DNS format"],
    [`${"a".repeat(64)}\\u`, "Domain doesn't match the NetBios nor the DNS format"],
    ["ü".repeat(60), "User length must not be longer than 104 characters"],
    [`${"a".repeat(63)}.b-c\\u`],
    [`${"𝒜".repeat(15)}\\u`],
  ])("has users of Windows: %s", (runAsUserName, problem?: string) => {
    const found = windows({ securityContext: { windowsOptions: { runAsUserName } } });
    expect(found).toEqual(problem === undefined ? [] : [expect.stringContaining(`: runAsUserName's ${problem}`)]);
  });
});

describe("kernel parameters of namespaces that a pod shares with its host", () => {
  it.each([
    ["kernel.shmmax", true],
    ["kernel/shmmax", true],
    ["kernel.shm", true],
    ["kernel.shm_x", false],
    ["kernel.sem", true],
    ["kernel.semx", false],
    ["kernel.msgmnb", true],
    ["kernel.msgs", false],
    ["fs.mqueue.x", true],
    ["fs/mqueue.x", false],
    ["fs.mqueue", false],
  ])("are those that exist: %s", (name, isRefused) => {
    const refused = `spec.securityContext.sysctls[0].name: Invalid value: "${name}": may not be specified when 'hostIPC' is true`;
    const found = problems({ hostIPC: true, securityContext: { sysctls: [{ name, value: "1" }] } });
    expect(found).toEqual(isRefused ? [refused] : []);
  });
});

describe("label keys of an affinity term", () => {
  const affinity = (term: object) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone", ...term }] } },
  });
  const at = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]";
  const withKeys = (term: object, labels: object = { a: "x" }) =>
    problemsOf(hooks, prepared(hooks, pod(affinity(term), { labels })));
  const both = (index: number) =>
    `${at}[${index}]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`;

  it("are refused if the selector has them, too", () => {
    expect(withKeys({ matchLabelKeys: ["a"], labelSelector: { matchLabels: { a: "x" } } })).toEqual([both(0)]);
    const labelSelector = { matchExpressions: [{ key: "a", operator: "Exists" }] };
    expect(withKeys({ matchLabelKeys: ["b", "a"], labelSelector })).toEqual([both(1)]);
    expect(withKeys({ matchLabelKeys: ["a", "a"], labelSelector: {} })).toEqual([both(1)]);
  });

  it("are allowed if the pod has no such label, or the keys must not match", () => {
    expect(withKeys({ matchLabelKeys: ["a"], labelSelector: { matchLabels: { a: "x" } } }, {})).toEqual([]);
    expect(withKeys({ mismatchLabelKeys: ["a"], labelSelector: { matchLabels: { a: "x" } } })).toEqual([]);
  });
});

describe("a field of the pod in an environment variable", () => {
  const variable = (valueFrom: object) => problems({ containers: [{ ...container, env: [{ name: "A", valueFrom }] }] });
  const field = (fieldPath: string) => variable({ fieldRef: { apiVersion: "v1", fieldPath } });
  const at = "spec.containers[0].env[0].valueFrom";
  const refused = (fieldPath: string, why: string) =>
    `${at}.fieldRef.fieldPath: Invalid value: "${fieldPath}": error converting fieldPath: field label ${why}: ${fieldPath}`;

  it("may be named spec.host, as it was once", () => {
    expect(field("spec.host")).toEqual([]);
  });

  it.each(["metadata.labels['a']['b']", "metadata.annotations['a'b']", "metadata.labels['']"])(
    "has a key up to the last bracket: %s",
    (path) => {
      const [problem] = field(path);
      expect(problem).toContain(
        `${at}.fieldRef: Invalid value: "${path.slice(path.indexOf("'") + 1, -2)}": name part `,
      );
    },
  );

  it("has a key only if it is metadata.labels or metadata.annotations", () => {
    expect(field("metadata.name['a']")).toEqual([refused("metadata.name['a']", "does not support subscript")]);
    expect(field("['a']")).toEqual([refused("['a']", "not supported")]);
    expect(field("a[']")).toEqual([refused("a[']", "not supported")]);
  });

  it("has a checked divisor only if its resource is known", () => {
    const divided = (resource: string) => variable({ resourceFieldRef: { resource, divisor: "3" } });
    expect(divided("foo.cpu")).toEqual([expect.stringContaining(`${at}.resourceFieldRef.resource: Unsupported value`)]);
    expect(divided("limits.cpu")).toEqual([expect.stringContaining(`${at}.resourceFieldRef.divisor: Invalid value`)]);
    expect(divided("limits.hugepages-2Mi")).toEqual([expect.stringContaining("hugepages resource")]);
  });
});

describe("a seccomp profile in an annotation and in a field", () => {
  const seccompProfile = { type: "RuntimeDefault" };
  const annotated = pod(
    { nodeName: "n", schedulingGates: [{ name: "g" }], securityContext: { seccompProfile } },
    { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" } },
  );

  it("must match in a new pod", () => {
    expect(problemsOf(hooks, annotated)).toEqual([
      "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
      "spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match",
    ]);
  });

  it("may differ in a pod that is updated", () => {
    const securityContext = { seccompProfile };
    const updated = { ...annotated, spec: pod({ securityContext }).spec };
    expect(problemsOfChange(hooks, updated, pod({ securityContext }))).toEqual([]);
  });
});

describe("a template with a policy of changing SELinux labels", () => {
  const policy = (seLinuxChangePolicy: string) => template({ securityContext: { seLinuxChangePolicy } });
  const at = "spec.template.spec.securityContext.seLinuxChangePolicy";

  it("can get only the policy Recursive, unless SELinuxMount is on", () => {
    const refused = `${at}: Unsupported value: "MountOption": supported values: "Recursive"`;
    expect(problemsOf(deploymentHooks, policy("MountOption"))).toEqual([refused]);
    expect(problemsOfChange(deploymentHooks, policy("MountOption"), template({}))).toEqual([refused]);
    expect(problemsOf(deploymentHooks, policy("MountOption"), contextWith({}, ["SELinuxMount"]))).toEqual([]);
  });

  it("can get any other policy if it has one", () => {
    expect(problemsOfChange(deploymentHooks, policy("MountOption"), policy("Recursive"))).toEqual([]);
    expect(problemsOfChange(deploymentHooks, policy("Odd"), policy("Recursive"))).toEqual([
      `${at}: Unsupported value: "Odd": supported values: "MountOption", "Recursive"`,
    ]);
  });
});

describe("the stop signal of a container", () => {
  const stops = { containers: [{ ...container, lifecycle: { stopSignal: "SIGTERM" } }] };
  const hooked = { ...stops.containers[0]!.lifecycle, preStop: { exec: { command: ["a"] } } };
  const lifecycleOf = (object: ReturnType<typeof pod>) =>
    (object.spec.containers[0] as { lifecycle?: object }).lifecycle;

  it("is dropped with a lifecycle that holds nothing else", () => {
    const sleeps = contextWith({}, ["PodLifecycleSleepAction"]);
    const stored = (lifecycle: object) =>
      lifecycleOf(prepared(hooks, pod({ containers: [{ ...container, lifecycle }] }), sleeps) as never);
    expect(prepared(hooks, pod(stops), sleeps).spec?.containers[0]).toEqual(container);
    expect(stored(hooked)).toEqual({ preStop: hooked.preStop });
    expect(stored({})).toEqual({});
  });

  it("is kept if a pod has one already, or ContainerStopSignals is on", () => {
    expect(preparedChange(hooks, pod(stops), pod(stops))).toEqual(pod(stops));
    const on = contextWith({}, ["ContainerStopSignals"]);
    expect(prepared(hooks, pod(stops), on).spec?.containers).toEqual(stops.containers);
  });
});

describe("warnings about containers", () => {
  it("come container by container", () => {
    const key = (name: string) => `container.seccomp.security.alpha.kubernetes.io/${name}`;
    const limited = { ...container, resources: { limits: { memory: "1500m" } } };
    const object = pod(
      { initContainers: [{ ...limited, name: "first" }], containers: [limited] },
      { annotations: { [key("first")]: "a", [key("main")]: "a" } },
    );
    expect(warningsOf(hooks, object).map((warning) => warning.replace(/: .*/, ""))).toEqual([
      `metadata.annotations[${key("first")}]`,
      "spec.initContainers[0].resources.limits[memory]",
      `metadata.annotations[${key("main")}]`,
      "spec.containers[0].resources.limits[memory]",
    ]);
  });
});

describe("what pods of some sorts cannot have", () => {
  it("is refused for the whole object, which errors name as a list does", () => {
    const windows = pod({ os: { name: "windows" } });
    expect(problemsOfChange(hooks, windows, windows, contextWith({ subresource: "resize" }))).toEqual([
      "[]: Forbidden: windows pods cannot be resized",
    ]);
    const mirror = pod({ nodeName: "n" }, { annotations: { "kubernetes.io/config.mirror": "m" } });
    expect(problemsOfChange(hooks, mirror, mirror, contextWith({ subresource: "ephemeralcontainers" }))).toEqual([
      "[]: Forbidden: static pods do not support ephemeral containers",
    ]);
  });
});
