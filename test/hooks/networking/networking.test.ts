import { describe, expect, it } from "vitest";
import { hooks as ingressHooks } from "../../../api-definitions/networking/v1/ingress.hooks.ts";
import { hooks as classHooks } from "../../../api-definitions/networking/v1/ingress-class.hooks.ts";
import { hooks as addressHooks } from "../../../api-definitions/networking/v1/ip-address.hooks.ts";
import { hooks as policyHooks } from "../../../api-definitions/networking/v1/network-policy.hooks.ts";
import { hooks as cidrHooks } from "../../../api-definitions/networking/v1/service-cidr.hooks.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const backend = { service: { name: "web", port: { number: 80 } } };
const ingress = {
  metadata: { name: "web" },
  spec: { rules: [{ host: "a.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] },
};
const withPath = (entry: object) =>
  withValue(ingress, "spec.rules", [{ http: { paths: [{ path: "/", pathType: "Prefix", backend, ...entry }] } }]);
const at = "spec.rules[0].http.paths[0]";

describe("an ingress", () => {
  it.each<[object: object, ...problems: string[]]>([
    [ingress],
    [
      { spec: {} },
      "spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified",
    ],
    [withPath({ pathType: undefined }), `${at}.pathType: Required value: pathType must be specified`],
    [
      withPath({ pathType: "Odd" }),
      `${at}.pathType: Unsupported value: "Odd": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
    ],
    [withPath({ path: "x" }), `${at}.path: Invalid value: "x": must be an absolute path`],
    [
      withPath({ path: "/a//b/.." }),
      `${at}.path: Invalid value: "/a//b/..": must not contain '//'`,
      `${at}.path: Invalid value: "/a//b/..": cannot end with '/..'`,
    ],
    [withPath({ path: "", pathType: "ImplementationSpecific" })],
    [withPath({ backend: {} }), `${at}.backend: Invalid value: "": resource or service backend is required`],
    [
      withPath({ backend: { service: { name: "web", port: {} } } }),
      `${at}.backend: Required value: port name or number is required`,
    ],
    [
      withPath({ backend: { service: { name: "web", port: { name: "http", number: 80 } } } }),
      `${at}.backend: Invalid value: "": cannot set both port name & port number`,
    ],
    [
      withValue(ingress, "spec.rules", [{ host: "10.0.0.1" }]),
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
    [withValue(ingress, "spec.rules", [{ host: "*.example.com" }])],
    [
      withValue(ingress, "spec.rules", [{ host: "a.*.com" }]),
      expect.stringContaining("a wildcard DNS-1123 subdomain must start with"),
    ],
    [
      withValue(ingress, "spec.tls", [{ secretName: "Bad!" }]),
      expect.stringContaining("spec.tls[0].secretName: Invalid value"),
    ],
  ])("is checked: %j", (object, ...problems) => {
    expect(refusals(ingressHooks, object)).toEqual(problems);
  });

  it("tolerates invalid values that are already stored", () => {
    const old = withValue(ingress, "spec.tls", [{ secretName: "Bad!" }]);
    expect(refusals(ingressHooks, old, { old })).toEqual([]);
  });

  it("must name the same class in field and annotation, and warns about the annotation", () => {
    const both = withValue(withValue(ingress, "spec.ingressClassName", "a"), "metadata.annotations", {
      "kubernetes.io/ingress.class": "b",
    });
    expect(refusals(ingressHooks, both)).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "b": must match `ingressClassName` when both are specified',
    ]);
    const annotated = withValue(ingress, "metadata.annotations", { "kubernetes.io/ingress.class": "b" });
    expect(ingressHooks.warn?.(annotated as never, contextFor())).toEqual([
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ]);
  });

  it("has IP addresses or host names in its status", () => {
    const object = { ...ingress, status: { loadBalancer: { ingress: [{ ip: "1.2.3" }, { hostname: "1.2.3.4" }] } } };
    expect(refusals(ingressHooks, object, { old: ingress, subresource: "status" })).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ]);
  });
});

describe("a network policy", () => {
  const policy = (ingressRule: object) => ({
    spec: { podSelector: {}, ingress: [ingressRule], policyTypes: ["Ingress"] },
  });

  it.each<[object: object, ...problems: string[]]>([
    [policy({ from: [{ podSelector: {} }], ports: [{ protocol: "TCP", port: 80, endPort: 90 }] })],
    [policy({ from: [{}] }), "spec.ingress[0].from[0]: Required value: must specify a peer"],
    [
      policy({ from: [{ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }] }),
      "spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer",
    ],
    [
      policy({ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16"] } }] }),
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
    [policy({ from: [{ ipBlock: { cidr: "" } }] }), "spec.ingress[0].from[0].ipBlock.cidr: Required value"],
    [
      policy({ ports: [{ protocol: "ICMP", port: 0, endPort: -1 }] }),
      'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
      "spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      "spec.ingress[0].ports[0].endPort: Invalid value: 0: must be greater than or equal to `port`",
      "spec.ingress[0].ports[0].endPort: Invalid value: -1: must be between 1 and 65535, inclusive",
    ],
    [
      policy({ ports: [{ port: "http", endPort: 90 }] }),
      "spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric",
    ],
    [
      { spec: { podSelector: {}, policyTypes: ["Odd"] } },
      'spec.policyTypes[0]: Unsupported value: "Odd": supported values: "Ingress", "Egress"',
    ],
    [
      { spec: { podSelector: {}, policyTypes: ["Odd", "Ingress", "Egress"] } },
      'spec.policyTypes: Invalid value: []networking.PolicyType{"Odd", "Ingress", "Egress"}: may not specify more than two policyTypes',
    ],
  ])("is checked: %j", (object, ...problems) => {
    expect(refusals(policyHooks, object)).toEqual(problems);
  });
});

describe("other kinds of networking", () => {
  it.each<[spec: object, ...problems: string[]]>([
    [{ controller: "example.com/x" }],
    [
      { controller: "x" },
      'spec.controller: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { controller: "example.com/x", parameters: { kind: "K", name: "n", scope: "Namespace" } },
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
    [
      { controller: "example.com/x", parameters: { kind: "K", name: "n", scope: "Cluster", namespace: "a" } },
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ],
  ])("an ingress class is checked: %j", (spec, ...problems) => {
    expect(refusals(classHooks, { spec })).toEqual(problems);
  });

  it("an IPAddress is named by its address and cannot change its parent", () => {
    expect(addressHooks.validation?.name?.("10.0.0.1", false)).toEqual([]);
    expect(addressHooks.validation?.name?.("web", false)).toHaveLength(1);
    const spec = { parentRef: { resource: "services", namespace: "a", name: "b" } };
    expect(refusals(addressHooks, { spec })).toEqual([]);
    expect(refusals(addressHooks, { spec: {} })).toEqual(["spec.parentRef: Required value"]);
    expect(refusals(addressHooks, withValue({ spec }, "spec.parentRef.name", "c"), { old: { spec } })).toEqual([
      'spec.parentRef: Invalid value: networking.ParentReference{Group:"", Resource:"services", Namespace:"a", Name:"c"}: field is immutable',
    ]);
  });

  it.each<[cidrs: string[], ...problems: string[]]>([
    [["10.0.0.0/16", "fd00::/64"]],
    [[], "spec.cidrs: Required value: at least one CIDR required"],
    [
      ["10.0.0.0/16", "10.1.0.0/16"],
      'spec.cidrs: Invalid value: []string{"10.0.0.0/16", "10.1.0.0/16"}: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
  ])("ranges of services are checked: %j", (cidrs, ...problems) => {
    expect(refusals(cidrHooks, { spec: { cidrs } })).toEqual(problems);
  });

  it("a ServiceCIDR can only be changed to dual-stack", () => {
    const old = { spec: { cidrs: ["10.0.0.0/16"] } };
    expect(refusals(cidrHooks, { spec: { cidrs: ["10.0.0.0/16", "fd00::/64"] } }, { old })).toEqual([]);
    expect(refusals(cidrHooks, { spec: { cidrs: ["10.1.0.0/16"] } }, { old })).toEqual([
      'spec.cidrs[0]: Invalid value: "10.1.0.0/16": field is immutable',
    ]);
  });
});
