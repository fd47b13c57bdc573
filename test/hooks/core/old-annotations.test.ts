import { describe, expect, it } from "vitest";
import { hooks as nodeHooks } from "../../../api-definitions/core/v1/node.hooks.ts";
import { hooks as podHooks } from "../../../api-definitions/core/v1/pod.hooks.ts";
import { problemsOf } from "./run-hooks.ts";

const PREFIX = "scheduler.alpha.kubernetes.io";
const spec = {
  containers: [{ name: "a", image: "i", imagePullPolicy: "Always", terminationMessagePolicy: "File" }],
  restartPolicy: "Always",
  dnsPolicy: "ClusterFirst",
};
const pod = (tolerations: string) => ({
  metadata: { name: "p", annotations: { [`${PREFIX}/tolerations`]: tolerations } },
  spec,
});
const node = (name: string, value: string) => ({
  metadata: { name: "n", annotations: { [`${PREFIX}/${name}`]: value } },
});

describe("annotations that were replaced by fields", () => {
  it("are checked on pods", () => {
    expect(problemsOf(podHooks, pod('[{"key":"a","operator":"Exists"}]'))).toEqual([]);
    expect(problemsOf(podHooks, pod('[{"key":"a","operator":"Odd"}]'))).toEqual([
      `metadata.annotations.${PREFIX}/tolerations[0].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"`,
    ]);
    expect(problemsOf(podHooks, pod("x"))).toEqual([
      `metadata.annotations: Invalid value: "${PREFIX}/tolerations": invalid character 'x' looking for beginning of value`,
    ]);
  });

  it("are checked on nodes", () => {
    expect(problemsOf(nodeHooks, node("taints", '[{"key":"a","effect":"NoSchedule"}]'))).toEqual([]);
    expect(problemsOf(nodeHooks, node("taints", '[{"key":"a"}]'))).toEqual([
      expect.stringContaining(`metadata.annotations.${PREFIX}/taints[0].effect: `),
    ]);
    const avoid = (podSignature: object) => JSON.stringify({ preferAvoidPods: [{ podSignature }] });
    expect(problemsOf(nodeHooks, node("preferAvoidPods", avoid({ podController: { controller: true } })))).toEqual([]);
    expect(problemsOf(nodeHooks, node("preferAvoidPods", avoid({})))).toEqual([
      `metadata.annotations.${PREFIX}/preferAvoidPods[0].PodSignature: Required value`,
    ]);
    expect(problemsOf(nodeHooks, node("preferAvoidPods", avoid({ podController: {} })))).toEqual([
      `metadata.annotations.${PREFIX}/preferAvoidPods[0].PodSignature.PodController.Controller: Invalid value: false: must point to a controller`,
    ]);
  });
});

describe("a volume with the certificates of a signer", () => {
  const bundle = (source: object) => ({
    metadata: { name: "p" },
    spec: {
      ...spec,
      volumes: [
        { name: "v", projected: { defaultMode: 420, sources: [{ clusterTrustBundle: { path: "p", ...source } }] } },
      ],
    },
  });
  const at = "spec.volumes[0].projected.sources[0].clusterTrustBundle";

  it.each<[source: object, ...problems: string[]]>([
    [{ name: "example.com:signer:roots" }],
    [{ signerName: "example.com/signer" }],
    [
      { name: "-roots" },
      expect.stringMatching(/name: Invalid value: "-roots": not a valid clustertrustbundlename: a lowercase RFC 1123/),
    ],
    [
      { signerName: "signer" },
      `${at}.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
    [
      { name: "roots", labelSelector: {} },
      `${at}.labelSelector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: labelSelector must be unset if name is specified`,
    ],
  ])("needs a name or a signer: %j", (source, ...problems) => {
    expect(problemsOf(podHooks, bundle(source))).toEqual(problems);
  });
});
