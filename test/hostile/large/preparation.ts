import type { RequestInput } from "../input.ts";
import {
  APPLY,
  CONFIG_MAPS,
  configMap,
  GROUP,
  LARGE_NAMESPACE,
  list,
  OWNED_KEYS,
  STORED_KEYS,
  send,
  THINGS,
} from "./requests.ts";

/** Objects that requests for stored objects need. */
export function largePreparation(): readonly RequestInput[] {
  const value = { type: "string" };
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          map: { type: "object", additionalProperties: value },
          floats: { type: "object", additionalProperties: { type: "number" } },
          strings: { type: "array", items: value },
          objects: { type: "array", items: { type: "object", properties: { a: value, b: { type: "integer" } } } },
          keyed: {
            type: "array",
            items: { type: "object", properties: { name: value }, required: ["name"] },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
          },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    },
  };
  const columns = list(5000, (index) => ({ name: `c${index}`, type: "string", jsonPath: columnPath(index) }));
  return [
    send("POST", "/api/v1/namespaces", { metadata: { name: LARGE_NAMESPACE } }),
    send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: `wides.${GROUP}` },
      spec: {
        group: GROUP,
        scope: "Namespaced",
        names: { plural: "wides", singular: "wide", kind: "Wide" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
            additionalPrinterColumns: columns,
          },
        ],
      },
    }),
    send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: `things.${GROUP}` },
      spec: {
        group: GROUP,
        scope: "Namespaced",
        names: { plural: "things", singular: "thing", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    }),
    send("POST", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", {
      metadata: { name: GROUP },
      spec: {
        matchConstraints: {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": LARGE_NAMESPACE } },
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }],
        },
        validations: [{ expression: "!has(object.data) || object.data.all(k, k != 'x')" }],
      },
    }),
    send("POST", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", {
      metadata: { name: GROUP },
      spec: { policyName: GROUP, validationActions: ["Deny"] },
    }),
    send("POST", CONFIG_MAPS, configMap("stored", OWNED_KEYS)),
    send("PATCH", `${CONFIG_MAPS}/applied?fieldManager=a`, configMap("applied", OWNED_KEYS), APPLY),
    send("POST", CONFIG_MAPS, configMap("bare", STORED_KEYS - 5_000)),
  ];
}

/** Returns the path of a column that searches a list, prints all of it, or finds nothing. */
function columnPath(index: number): string {
  return [".spec.items[?(@.a==1)].a", ".spec", `.spec.c${index}`][index % 3] as string;
}

/** Waits until the custom kind is served. */
export const LARGE_READY: RequestInput = send("GET", THINGS);
