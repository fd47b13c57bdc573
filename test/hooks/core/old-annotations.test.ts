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

  it.each([
    ["{}", "object into Go value of type []core.Toleration"],
    ["5", "number into Go value of type []core.Toleration"],
    ['["a"]', "string into Go value of type core.Toleration"],
    ['[{"key":5}]', "number into Go struct field Toleration.Key of type string"],
    ['[{"operator":true}]', "bool into Go struct field Toleration.Operator of type core.TolerationOperator"],
    ['[{"tolerationSeconds":[]}]', "array into Go struct field Toleration.TolerationSeconds of type int64"],
  ])("are refused if they hold something else: %s", (text, problem) => {
    expect(problemsOf(podHooks, pod(text))).toEqual([
      `metadata.annotations: Invalid value: "${PREFIX}/tolerations": json: cannot unmarshal ${problem}`,
    ]);
  });

  it("may spell the names of fields in any case, and have no content", () => {
    expect(problemsOf(podHooks, pod('[{"KEY":"a","Operator":"Exists"}]'))).toEqual([]);
    expect(problemsOf(podHooks, pod("null"))).toEqual([]);
    expect(problemsOf(podHooks, pod("[null]"))).toEqual([expect.stringContaining("operator must be Exists")]);
  });

  it("are checked on nodes", () => {
    expect(problemsOf(nodeHooks, node("taints", '{"a":1}'))).toEqual([
      `metadata.annotations: Invalid value: "${PREFIX}/taints": json: cannot unmarshal object into Go value of type []core.Taint`,
    ]);
    expect(problemsOf(nodeHooks, node("preferAvoidPods", "[]"))).toEqual([
      `metadata.annotations.AvoidPods: Invalid value: "${PREFIX}/preferAvoidPods": json: cannot unmarshal array into Go value of type v1.AvoidPods`,
    ]);
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
