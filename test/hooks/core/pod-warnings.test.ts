import { describe, expect, it } from "vitest";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import { warnOfPod, warnOfPodTemplate } from "../../../api-definitions/core/v1/pod-warnings.ts";

const off = () => false;

function warnings(spec: object, annotations: Record<string, string> = {}): string[] {
  return warnOfPod({ containers: [], ...spec } as PodSpec, { annotations }, "", off);
}

describe("warnings of a pod", () => {
  it.each<[string, object, string[]]>([
    [
      "old labels of nodes",
      { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      "constraints that select nothing",
      { topologySpreadConstraints: [{ topologyKey: "t" }] },
      ["spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"],
    ],
    [
      "volumes that are no more",
      {
        volumes: [
          { name: "v", gitRepo: {} },
          { name: "w", storageos: {} },
        ],
      },
      [
        "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
        "spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
      ],
    ],
    [
      "files in one place",
      {
        volumes: [
          {
            name: "v",
            configMap: {
              name: "c",
              items: [
                { key: "a", path: "x" },
                { key: "b", path: "x/y" },
              ],
            },
          },
        ],
      },
      ['volume "v" (ConfigMap "c"): overlapping paths: "x/y" with "x"'],
    ],
    [
      "files of several sources in one place",
      {
        volumes: [
          {
            name: "v",
            projected: {
              sources: [
                { serviceAccountToken: { path: "token" } },
                { secret: { name: "s", items: [{ key: "a", path: "token" }] } },
              ],
            },
          },
        ],
      },
      ['volume "v" (Projected): overlapping paths: "token" (Secret "s") with "token" (ServiceAccountToken)'],
    ],
    [
      "repeated aliases and secrets",
      {
        hostAliases: [{ ip: "1.1.1.1" }, { ip: "1.1.1.1" }],
        imagePullSecrets: [{ name: "a" }, { name: "a" }, {}],
      },
      [
        'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
      ],
    ],
    [
      "parts of bytes",
      { containers: [{ name: "a", resources: { requests: { memory: "1500m" } } }] },
      ['spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer'],
    ],
    [
      "hidden variables",
      {
        containers: [
          {
            name: "a",
            env: [
              { name: "A", value: "1" },
              { name: "A", value: "$(A)2" },
              { name: "A", value: "3" },
            ],
          },
        ],
      },
      ['spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      "ports defined twice",
      {
        containers: [
          { name: "a", ports: [{ name: "p", containerPort: 80, protocol: "TCP" }] },
          { name: "b", ports: [{ name: "p", containerPort: 80, protocol: "TCP", hostPort: 80 }] },
        ],
      },
      [
        "spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[0]",
        'spec.containers[1].ports[0]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    ],
    [
      "addresses without ports",
      {
        containers: [{ name: "a", ports: [{ containerPort: 80, protocol: "TCP", hostIP: "1.1.1.1" }] }],
      },
      [
        "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.1.1.1}",
      ],
    ],
  ])("tell of %s", (_what, spec, expected) => {
    expect(warnings(spec)).toEqual(expected);
  });

  it("name annotations that are not used any more", () => {
    expect(
      warnings({ containers: [{ name: "a" }] }, { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" }),
    ).toEqual([
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ]);
  });

  it("are placed where the template stands", () => {
    const key = "container.apparmor.security.beta.kubernetes.io/a";
    const template = {
      metadata: { annotations: { [key]: "unconfined" } },
      spec: { containers: [{ name: "a" }], nodeSelector: { "node-role.kubernetes.io/master": "" } },
    };
    expect(warnOfPodTemplate(template as never, "spec.template", off)).toEqual([
      'spec.template.spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      `spec.template.metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
  });
});
