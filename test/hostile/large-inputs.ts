import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { schemas } from "../kinds/conversions/converters.ts";
import type { RequestInput } from "./input.ts";

/** A request with a valid object near the limit of a body, or for one near the limit of what is stored. */
export interface LargeInput {
  readonly what: string;
  /** Makes the request; `attempt` is another number each time it is sent, `answers` are the bodies of the responses to those before. */
  readonly make: (attempt: number, answers: readonly string[]) => RequestInput;
  /** Sent before, and not measured. */
  readonly before?: (attempt: number) => readonly RequestInput[];
  /** The status of its response, if it is none of success: what does not fit into etcd is handled before it is refused. */
  readonly status?: number;
}

const GROUP = "large.example.com";
export const LARGE_NAMESPACE = "large-inputs";
const RBAC = "rbac.authorization.k8s.io";
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const APPLY = "application/apply-patch+yaml";

type Body = Readonly<Record<string, unknown>>;

const collection = (resource: string, group = "api/v1") => `/${group}/namespaces/${LARGE_NAMESPACE}/${resource}`;
const CONFIG_MAPS = collection("configmaps");
const THINGS = collection("things", `apis/${GROUP}/v1`);

function send(
  method: string,
  target: string,
  body?: Body | readonly unknown[],
  type = "application/json",
): RequestInput {
  const bytes = body && Buffer.from(JSON.stringify(body));
  return { as: "admin", method, target, ...(bytes && { headers: [["Content-Type", type]], body: bytes }) };
}

const read = (target: string, accept: string): RequestInput => ({
  as: "admin",
  method: "GET",
  target,
  headers: [["Accept", accept]],
});

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function map<T>(length: number, make: (index: number) => T, prefix = "k"): Record<string, T> {
  return Object.fromEntries(list(length, (index) => [`${prefix}${index}`, make(index)]));
}

/** As many keys as fit into a body, into what is stored, and into what is stored with the fields' owners. */
const MOST_KEYS = 200_000;
const STORED_KEYS = 115_000;
const OWNED_KEYS = 45_000;
const TOO_LARGE = 500;

const configMap = (name: string, keys: number): Body => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: map(keys, () => ""),
});
const thing = (name: string, spec: Body): Body => ({
  apiVersion: `${GROUP}/v1`,
  kind: "Thing",
  metadata: { name },
  spec,
});
const create = (what: string, path: string, make: (name: string) => Body): LargeInput => ({
  what: `create ${what}`,
  make: (attempt) => send("POST", path, make(`n${attempt}`)),
});

/** What requests for stored objects use. */
export function largePreparation(): readonly RequestInput[] {
  const value = { type: "string" };
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          map: { type: "object", additionalProperties: value },
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
  return [
    send("POST", "/api/v1/namespaces", { metadata: { name: LARGE_NAMESPACE } }),
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

/** Waits until the custom kind is served. */
export const LARGE_READY: RequestInput = send("GET", THINGS);

export function largeInputs(): readonly LargeInput[] {
  return [...bodies(), ...changes(), ...reads(), ...lists(), ...customObjects(), ...collections()];
}

/** One object in every format. */
function bodies(): LargeInput[] {
  const encoded = (what: string, type: string, encode: (object: Body) => Buffer): LargeInput => ({
    what: `create a ConfigMap of many keys in ${what}`,
    make: (attempt) => ({
      as: "admin",
      method: "POST",
      target: CONFIG_MAPS,
      headers: [["Content-Type", type]],
      body: encode(configMap(`n${attempt}`, STORED_KEYS)),
    }),
  });
  const yaml = ({ data, ...rest }: Body) => {
    const lines = Object.keys(data as object).map((key) => `  ${key}: ""\n`);
    return Buffer.from(
      `${Object.entries(rest)
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
        .join("")}data:\n${lines.join("")}`,
    );
  };
  const protobuf = (object: Body) => {
    const schema = schemas.of("core/v1.ConfigMap");
    return encodeEnvelope({ apiVersion: "v1", kind: "ConfigMap", raw: schema.encodeProtobuf(schema.decode(object)) });
  };
  return [
    encoded("JSON", "application/json", (object) => Buffer.from(JSON.stringify(object))),
    encoded("YAML", "application/yaml", yaml),
    encoded("CBOR", "application/cbor", (object) => Buffer.from(encodeCbor(object))),
    encoded("protobuf", "application/vnd.kubernetes.protobuf", protobuf),
    create("a ConfigMap with owners of its keys", CONFIG_MAPS, (name) => configMap(name, OWNED_KEYS)),
    {
      ...create("a ConfigMap that is too large", CONFIG_MAPS, (name) => configMap(name, MOST_KEYS)),
      status: TOO_LARGE,
    },
    create("a Secret of many keys, with a policy", collection("secrets"), (name) => ({
      metadata: { name },
      data: map(STORED_KEYS, () => ""),
    })),
  ];
}

/** One object by every verb. */
function changes(): LargeInput[] {
  const stored = `${CONFIG_MAPS}/stored`;
  const patch = (what: string, type: string, make: (attempt: number) => Body | readonly unknown[]): LargeInput => ({
    what: `${what} of a stored ConfigMap`,
    make: (attempt) => send("PATCH", stored, make(attempt), type),
  });
  const tooMuch = () => ({ data: map(MOST_KEYS, () => "", "p") });
  const more = (attempt: number) => ({ data: map(OWNED_KEYS, () => `${attempt}`) });
  return [
    {
      what: "replace a ConfigMap",
      make: (attempt) =>
        send("PUT", stored, { ...configMap("stored", OWNED_KEYS), data: map(OWNED_KEYS, () => `${attempt % 10}`) }),
    },
    {
      what: "replace a ConfigMap with one that is too large",
      make: () => send("PUT", stored, configMap("stored", MOST_KEYS)),
      status: TOO_LARGE,
    },
    patch("merge patch of one key", MERGE, (attempt) => ({ data: { a: `${attempt}` } })),
    patch("strategic patch of one key", STRATEGIC, (attempt) => ({ data: { a: `${attempt}` } })),
    patch("JSON patch of one key", JSON_PATCH, (attempt) => [{ op: "add", path: "/data/a", value: `${attempt}` }]),
    patch("merge patch of all keys", MERGE, (attempt) => more(attempt % 10)),
    patch("strategic patch of all keys", STRATEGIC, (attempt) => more(attempt % 10)),
    patch("JSON patch of the map", JSON_PATCH, (attempt) => [
      { op: "replace", path: "/data", value: more(attempt % 10).data },
    ]),
    { ...patch("merge patch of too many keys", MERGE, tooMuch), status: TOO_LARGE },
    { ...patch("strategic patch of too many keys", STRATEGIC, tooMuch), status: TOO_LARGE },
    patch("JSON patch of 10,000 operations", JSON_PATCH, (attempt) =>
      list(10_000, (index) => ({ op: "add", path: `/data/k${index}`, value: `${attempt % 10}` })),
    ),
    {
      what: "apply a new ConfigMap",
      make: (attempt) =>
        send("PATCH", `${CONFIG_MAPS}/a${attempt}?fieldManager=a`, configMap(`a${attempt}`, OWNED_KEYS), APPLY),
    },
    {
      what: "apply a new ConfigMap that is too large",
      make: (attempt) =>
        send("PATCH", `${CONFIG_MAPS}/a${attempt}?fieldManager=a`, configMap(`a${attempt}`, MOST_KEYS), APPLY),
      status: TOO_LARGE,
    },
    {
      what: "apply the same ConfigMap again",
      make: () => send("PATCH", `${CONFIG_MAPS}/applied?fieldManager=a`, configMap("applied", OWNED_KEYS), APPLY),
    },
    {
      what: "apply other values by force",
      make: (attempt) =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/applied?fieldManager=b&force=true`,
          { ...configMap("applied", 0), data: map(OWNED_KEYS, () => `${attempt % 10}`) },
          APPLY,
        ),
    },
    {
      what: "apply other values, with conflicts",
      make: () =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/applied?fieldManager=c`,
          { ...configMap("applied", 0), data: map(OWNED_KEYS, () => "c") },
          APPLY,
        ),
      status: 409,
    },
    {
      what: "apply one key of a large ConfigMap",
      make: (attempt) =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/applied?fieldManager=one`,
          { ...configMap("applied", 0), data: { one: `${attempt}` } },
          APPLY,
        ),
    },
    {
      what: "delete a ConfigMap",
      before: (attempt) => [send("POST", CONFIG_MAPS, configMap(`d${attempt}`, OWNED_KEYS))],
      make: (attempt) => send("DELETE", `${CONFIG_MAPS}/d${attempt}`),
    },
  ];
}

function reads(): LargeInput[] {
  const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const metadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  const metadataList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  const accepts: readonly [string, string, string][] = [
    ["JSON", "application/json", "application/json"],
    ["YAML", "application/yaml", "application/yaml"],
    ["CBOR", "application/cbor", "application/cbor"],
    ["protobuf", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"],
    ["a table", table, table],
    ["metadata", metadata, metadataList],
  ];
  // Changed before, so that nothing of it is encoded yet.
  const before = (name: string) => (attempt: number) => [
    send("PATCH", `${CONFIG_MAPS}/${name}`, { data: { read: `${attempt}` } }, MERGE),
  ];
  return accepts.flatMap(([what, accept, ofList]) => [
    {
      what: `read a ConfigMap as ${what}`,
      before: before("stored"),
      make: () => read(`${CONFIG_MAPS}/stored`, accept),
    },
    {
      what: `read a ConfigMap without owners as ${what}`,
      before: before("bare"),
      make: () => read(`${CONFIG_MAPS}/bare`, accept),
    },
    {
      what: `list ConfigMaps as ${what}`,
      before: before("stored"),
      make: () => read(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dstored`, ofList),
    },
  ]);
}

/** Kinds whose validation walks long lists. */
function lists(): LargeInput[] {
  const pod = (spec: Body) => (name: string) => ({
    metadata: { name },
    spec: { containers: [{ name: "a", image: "a" }], ...spec },
  });
  const selector = { matchLabels: { a: "b" } };
  const template = (spec: Body) => ({
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "a", image: "a" }], ...spec },
  });
  const inDeployment = (spec: Body) => (name: string) => ({
    metadata: { name },
    spec: { selector, template: template(spec) },
  });
  const meta = (more: (name: string) => Body) => (name: string) => ({ metadata: { name, ...more(name) } });
  const network = (rules: Body) => (name: string) => ({ metadata: { name }, spec: { podSelector: {}, ...rules } });
  const DEPLOYMENTS = collection("deployments", "apis/apps/v1");
  const POLICIES = collection("networkpolicies", "apis/networking.k8s.io/v1");
  const ip = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
  const owner = (i: number) => ({ apiVersion: "v1", kind: "ConfigMap", name: `a${i}`, uid: `u${i}` });
  const managed = (i: number) => ({
    manager: `m${i}`,
    operation: "Update",
    apiVersion: "v1",
    time: "2024-01-02T03:04:05Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:a": {} } },
  });
  return [
    create(
      "a ConfigMap with 100,000 labels",
      CONFIG_MAPS,
      meta(() => ({ labels: map(100_000, () => "") })),
    ),
    create(
      "a ConfigMap with 20,000 ownerReferences",
      CONFIG_MAPS,
      meta(() => ({ ownerReferences: list(20_000, owner) })),
    ),
    create(
      "a ConfigMap with 100,000 finalizers",
      CONFIG_MAPS,
      meta(() => ({ finalizers: list(100_000, (i) => `a.b/f${i}`) })),
    ),
    {
      what: "replace managedFields with 15,000 entries",
      before: (n) => [send("POST", CONFIG_MAPS, configMap(`m${n}`, 1))],
      make: (n) =>
        send("PUT", `${CONFIG_MAPS}/m${n}`, {
          ...configMap(`m${n}`, 1),
          metadata: { name: `m${n}`, managedFields: list(15_000, managed) },
        }),
    },
    create(
      "a NetworkPolicy with 30,000 blocks",
      POLICIES,
      network({ ingress: [{ from: list(30_000, (i) => ({ ipBlock: { cidr: `${ip(i)}/32` } })) }] }),
    ),
    create(
      "a NetworkPolicy with 30,000 selectors",
      POLICIES,
      network({ ingress: [{ from: list(30_000, (i) => ({ podSelector: { matchLabels: { [`a${i}`]: "b" } } })) }] }),
    ),
    create(
      "a NetworkPolicy with 30,000 ports",
      POLICIES,
      network({ ingress: [{ ports: list(30_000, (i) => ({ port: 1 + i, protocol: "TCP" })) }] }),
    ),
    create(
      "a NetworkPolicy with 30,000 rules",
      POLICIES,
      network({ egress: list(30_000, () => ({ to: [{ podSelector: {} }] })) }),
    ),
    create(
      "a Pod with 40,000 hostAliases",
      collection("pods"),
      pod({ hostAliases: list(40_000, (i) => ({ ip: ip(i), hostnames: ["a"] })) }),
    ),
    create(
      "a Pod with 40,000 variables",
      collection("pods"),
      pod({ containers: [{ name: "a", image: "a", env: list(40_000, (i) => ({ name: `E${i}`, value: "v" })) }] }),
    ),
    create(
      "a Pod with 8,000 containers",
      collection("pods"),
      pod({ containers: list(8_000, (i) => ({ name: `c${i}`, image: "a" })) }),
    ),
    create(
      "a Pod with 30,000 volumes",
      collection("pods"),
      pod({ volumes: list(30_000, (i) => ({ name: `v${i}`, emptyDir: {} })) }),
    ),
    create(
      "a Pod with 30,000 tolerations",
      collection("pods"),
      pod({ tolerations: list(30_000, (i) => ({ key: `v${i}`, operator: "Exists" })) }),
    ),
    create(
      "a Pod with 20,000 affinity terms",
      collection("pods"),
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: list(20_000, (i) => ({ matchExpressions: [{ key: `v${i}`, operator: "Exists" }] })),
            },
          },
        },
      }),
    ),
    create(
      "a Deployment with 40,000 variables",
      DEPLOYMENTS,
      inDeployment({
        containers: [{ name: "a", image: "a", env: list(40_000, (i) => ({ name: `E${i}`, value: "v" })) }],
      }),
    ),
    create(
      "a Deployment with 8,000 containers",
      DEPLOYMENTS,
      inDeployment({ containers: list(8_000, (i) => ({ name: `c${i}`, image: "a" })) }),
    ),
    create(
      "a Deployment with 100,000 node labels",
      DEPLOYMENTS,
      inDeployment({ nodeSelector: map(100_000, () => "") }),
    ),
    create("a Service with 20,000 ports", collection("services"), (name) => ({
      metadata: { name },
      spec: { clusterIP: "None", ports: list(20_000, (i) => ({ name: `p${i}`, port: 1 + i })) },
    })),
    create("Endpoints with 50,000 addresses", collection("endpoints"), (name) => ({
      metadata: { name },
      subsets: [{ addresses: list(50_000, (i) => ({ ip: ip(i) })), ports: [{ port: 1 }] }],
    })),
    create("a RoleBinding with 30,000 subjects", collection("rolebindings", `apis/${RBAC}/v1`), (name) => ({
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: "Role", name: "a" },
      subjects: list(30_000, (i) => ({ kind: "User", apiGroup: RBAC, name: `u${i}` })),
    })),
    create("a Role with 30,000 rules", collection("roles", `apis/${RBAC}/v1`), (name) => ({
      metadata: { name },
      rules: list(30_000, (i) => ({ apiGroups: [""], resources: [`r${i}`], verbs: ["get"] })),
    })),
    create("an Ingress with 15,000 rules", collection("ingresses", "apis/networking.k8s.io/v1"), (name) => ({
      metadata: { name },
      spec: {
        rules: list(15_000, (i) => ({
          host: `h${i}.a`,
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "a", port: { number: 1 } } } }],
          },
        })),
      },
    })),
    create("a ResourceQuota with 15,000 resources", collection("resourcequotas"), (name) => ({
      metadata: { name },
      spec: { hard: map(15_000, () => "1", "count/a.b") },
    })),
    create("a LimitRange with 10,000 limits", collection("limitranges"), (name) => ({
      metadata: { name },
      spec: { limits: list(10_000, (i) => ({ type: `a.b/t${i}`, max: { cpu: "1" } })) },
    })),
    create("a ServiceAccount with 60,000 secrets", collection("serviceaccounts"), (name) => ({
      metadata: { name },
      secrets: list(60_000, (i) => ({ name: `s${i}` })),
    })),
  ];
}

function customObjects(): LargeInput[] {
  const specs: readonly [string, (value: string) => Body][] = [
    ["a map of 110,000 strings", () => ({ map: map(110_000, () => "") })],
    ["a map of 50,000 strings", (value) => ({ map: map(50_000, () => value) })],
    ["200,000 strings", (value) => ({ strings: list(200_000, () => value) })],
    ["60,000 objects", (value) => ({ objects: list(60_000, (index) => ({ a: value, b: index })) })],
    ["60,000 objects with keys", (value) => ({ keyed: list(60_000, (index) => ({ name: `n${index}${value}` })) })],
    ["free fields", (value) => ({ free: map(50_000, (index) => ({ a: value, b: index })) })],
  ];
  return specs.flatMap(([what, spec]) => [
    create(`a custom object with ${what}`, THINGS, (name) => thing(name, spec("v"))),
    {
      what: `replace a custom object with ${what}`,
      before: (attempt) => [send("POST", THINGS, thing(`r${attempt}`, { map: map(30_000, () => "") }))],
      make: (attempt, [created = ""]) => {
        const name = `r${attempt}`;
        const { resourceVersion } = (JSON.parse(created) as { metadata: { resourceVersion: string } }).metadata;
        const body = { ...thing(name, spec("w")), metadata: { name, resourceVersion } };
        return send("PUT", `${THINGS}/${name}?fieldManager=x`, body);
      },
    },
    {
      what: `apply a custom object with ${what}`,
      make: (attempt) => send("PATCH", `${THINGS}/y${attempt}?fieldManager=x`, thing(`y${attempt}`, spec("w")), APPLY),
    },
  ]);
}

function collections(): LargeInput[] {
  return [
    { what: "delete the collection of ConfigMaps", make: () => send("DELETE", CONFIG_MAPS) },
    { what: "delete the namespace", make: () => send("DELETE", `/api/v1/namespaces/${LARGE_NAMESPACE}`) },
  ];
}
