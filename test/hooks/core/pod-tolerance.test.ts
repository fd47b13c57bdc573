import { describe, expect, it } from "vitest";
import { hooks as deploymentHooks } from "../../../api-definitions/apps/v1/deployment.hooks.ts";
import { hooks as podHooks } from "../../../api-definitions/core/v1/pod.hooks.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { contextWith, problemsOf, problemsOfChange } from "./run-hooks.ts";

const COST = "controller.kubernetes.io/pod-deletion-cost";
const COSTS = contextWith({}, ["PodDeletionCost"]);
const container = {
  name: "main",
  image: "a:1",
  terminationMessagePolicy: "File",
  imagePullPolicy: "Always",
};
const pod = (spec: object, annotations?: object) => ({
  metadata: { name: "p", annotations },
  spec: {
    containers: [container],
    restartPolicy: "Always",
    dnsPolicy: "Default",
    serviceAccountName: "default",
    ...spec,
  },
});
const template = (spec: object, annotations?: object) => ({
  metadata: { name: "d" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    strategy: { type: "Recreate" },
    template: { ...pod(spec), metadata: { labels: { a: "b" }, annotations } },
  },
});
const token = (path: string) => ({
  volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path, expirationSeconds: 3600 } }] } }],
});
const huge = (amount: string) => ({
  containers: [{ ...container, resources: { limits: { cpu: "1", "hugepages-2Mi": amount }, requests: { cpu: "1" } } }],
});
const sysctls = (...names: string[]) => ({
  hostNetwork: true,
  securityContext: { sysctls: names.map((name) => ({ name, value: "1" })) },
});

/** Values that no new pod may have, in two variants: an old pod with one of them may have the other. */
const CASES: [string, object, object, string][] = [
  [
    "amounts of huge pages that are no multiple of their size",
    huge("3Mi"),
    huge("5Mi"),
    'containers[0].resources.limits[hugepages-2Mi]: Invalid value: "5Mi": 5Mi is not positive integer multiple of hugepages-2Mi',
  ],
  [
    "tokens projected outside of their volume",
    token("../a"),
    token("../b"),
    "volumes[0].projected.path: Invalid value: \"../b\": must not contain '..'",
  ],
  [
    "kernel parameters of a network that is the host's",
    sysctls("net.a"),
    sysctls("net.a", "net.b"),
    "securityContext.sysctls[1].name: Invalid value: \"net.b\": may not be specified when 'hostNetwork' is true",
  ],
];

describe("a changed pod template", () => {
  it.each(CASES)("may keep %s if it had them, and gets none", (_what, before, after, problem) => {
    expect(problemsOfChange(deploymentHooks, template(after), template({}))).toContain(`spec.template.spec.${problem}`);
    expect(problemsOfChange(deploymentHooks, template(after), template(before))).toEqual([]);
  });

  it("may keep a deletion cost that is not a number", () => {
    const [odd, other] = [{ [COST]: "+1" }, { [COST]: "much" }];
    const problem = `spec.template.annotations[${COST}]: Invalid value: "much": must be a 32bit integer`;
    expect(problemsOfChange(deploymentHooks, template({}, other), template({}), COSTS)).toEqual([problem]);
    expect(problemsOfChange(deploymentHooks, template({}, other), template({}, odd), COSTS)).toEqual([]);
  });
});

describe("a changed pod", () => {
  it.each(CASES)("may keep %s", (_what, before) => {
    expect(problemsOfChange(podHooks, pod(before, { new: "annotation" }), pod(before))).toEqual([]);
  });

  it("may keep a deletion cost that is not a number; leading zeros are allowed in negative numbers", () => {
    expect(problemsOfChange(podHooks, pod({}, { [COST]: "much" }), pod({}, { [COST]: "+1" }), COSTS)).toEqual([]);
    expect(problemsOf(podHooks, pod({}, { [COST]: "-007" }), COSTS)).toEqual([]);
    expect(problemsOf(podHooks, pod({}, { [COST]: "007" }), COSTS)).toHaveLength(1);
  });
});

describe("--allow-privileged=false", () => {
  const strict: HookContext<never> = contextWith({ allowPrivileged: false });
  const privileged = { containers: [{ ...container, securityContext: { privileged: true } }] };

  it("refuses privileged containers, in pods and in templates", () => {
    expect(problemsOf(podHooks, pod(privileged))).toEqual([]);
    expect(problemsOf(podHooks, pod(privileged), strict)).toEqual([
      "spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy",
    ]);
    expect(problemsOf(deploymentHooks, template(privileged), strict)).toEqual([
      "spec.template.spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy",
    ]);
  });

  it("rejects Windows host process containers", () => {
    const onHost = { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } };
    expect(problemsOf(podHooks, pod(onHost), strict)).toEqual([
      "spec: Forbidden: hostProcess containers are disallowed by cluster policy",
    ]);
  });
});
