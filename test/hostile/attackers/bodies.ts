import type { TypeRef } from "../../../runtime/contract/type-table.ts";
import { types } from "../../kinds/conversions/converters.ts";
import { RandomObjects } from "../../kinds/conversions/random-objects.ts";
import { encodeBody, type Format, MEDIA_TYPES } from "../encode-body.ts";
import type { Attacker, RequestInput } from "../input.ts";
import { hostileValue, mutate } from "../mutate.ts";
import type { Random } from "../random.ts";
import { VALID_OBJECTS } from "../valid-objects.ts";
import { anyUser, apiVersionOf, collectionPath, type Endpoint, NAMESPACES, OBJECT_NAMES, SERVED } from "./targets.ts";

const FORMATS: readonly Format[] = ["json", "json", "yaml", "cbor", "protobuf"];
const ACCEPTS = ["application/json", "application/yaml", "application/cbor", "application/vnd.kubernetes.protobuf"];

/** Damaged objects of every kind, in every format, in every request that writes an object. */
export const bodies: Attacker = {
  name: "bodies",
  lanes: 12,
  make(random) {
    const endpoint = random.pick(SERVED);
    const request = random.one(
      () => write(random, endpoint),
      () => write(random, endpoint),
      () => patch(random, endpoint),
      () => patch(random, endpoint),
      () => subresource(random, endpoint),
      () => remove(random, endpoint),
    );
    return { kind: "request", request };
  },
};

/** Returns an object of a kind: a valid one, or one with any fields of its type. */
function objectOf(random: Random, endpoint: Endpoint, name: string, namespace: string): Record<string, unknown> {
  const valid = VALID_OBJECTS[endpoint.resource];
  const body =
    valid !== undefined && random.chance(0.7)
      ? valid
      : new RandomObjects(types, random.next).object(endpoint.type as TypeRef);
  const metadata: Record<string, unknown> = { name, ...(endpoint.namespaced && { namespace }), labels: { app: "a" } };
  if (random.chance(0.2)) {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "one", uid: "0b5a6c3e-1111-2222-3333-444455556666" };
    Object.assign(metadata, {
      annotations: { [random.hostileName()]: random.hostileString() },
      finalizers: random.chance(0.1) ? ["example.com/stay"] : [],
      ownerReferences: [owner],
      managedFields: [
        { manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: fieldsV1(random) },
      ],
    });
  }
  return { apiVersion: apiVersionOf(endpoint), kind: endpoint.kind, metadata, ...body };
}

function fieldsV1(random: Random): unknown {
  return {
    [`f:${random.hostileString(100)}`]: { [`k:${random.hostileString(100)}`]: hostileValue(random, 2) },
    ".": {},
  };
}

function headersOf(random: Random, type: string): [string, string][] {
  return [
    ["Content-Type", type],
    ["Accept", random.pick(ACCEPTS)],
  ];
}

const query = (random: Random): string =>
  random.pick(["", "", "", "?dryRun=All", "?fieldValidation=Strict", "?fieldValidation=Warn&fieldManager=a&pretty=1"]);

function write(random: Random, endpoint: Endpoint): RequestInput {
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(OBJECT_NAMES);
  const object = objectOf(random, endpoint, name, namespace);
  const format = random.pick(FORMATS);
  const body = encodeBody(random, format, random.chance(0.75) ? mutate(random, object) : object, endpoint.type);
  const isUpdate = random.chance(0.4);
  const path = collectionPath(endpoint, namespace);
  return {
    as: anyUser(random),
    method: isUpdate ? "PUT" : "POST",
    target: `${path}${isUpdate ? `/${name}` : ""}${query(random)}`,
    headers: headersOf(random, MEDIA_TYPES[format]),
    body,
  };
}

const PATCHES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/apply-patch+cbor",
];

function patch(random: Random, endpoint: Endpoint): RequestInput {
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(OBJECT_NAMES);
  const type = random.pick(PATCHES);
  const object = objectOf(random, endpoint, name, namespace);
  const document =
    type === PATCHES[0]
      ? Array.from({ length: random.length(300) }, () => operation(random, object))
      : mutate(random, type === PATCHES[2] && random.chance(0.5) ? directives(random, object) : object);
  const format = type.endsWith("yaml") ? "yaml" : type.endsWith("cbor") ? "cbor" : "json";
  const isApply = type.includes("apply");
  const sub = random.chance(0.1) && endpoint.subresources.length > 0 ? `/${random.pick(endpoint.subresources)}` : "";
  return {
    as: anyUser(random),
    method: "PATCH",
    target: `${collectionPath(endpoint, namespace)}/${name}${sub}${isApply ? "?fieldManager=hostile&force=true" : query(random)}`,
    headers: headersOf(random, type),
    body: encodeBody(random, format, document),
  };
}

function operation(random: Random, object: unknown): unknown {
  const path = (): unknown => (random.chance(0.9) ? pointer(random, object) : hostileValue(random, 1));
  return {
    op: random.chance(0.95)
      ? random.pick(["add", "remove", "replace", "move", "copy", "test"])
      : hostileValue(random, 1),
    path: path(),
    ...(random.chance(0.6) && { from: path() }),
    ...(random.chance(0.8) && { value: hostileValue(random, 2) }),
  };
}

/** Returns a JSON pointer to an existing value, or almost to one. */
function pointer(random: Random, object: unknown): string {
  let text = "";
  let at: unknown = object;
  while (typeof at === "object" && at !== null && random.chance(0.8)) {
    const keys = Object.keys(at);
    const key = random.chance(0.1)
      ? random.pick(["-", "-1", "01", "999999999999", random.hostileName()])
      : random.pick(keys);
    if (key === undefined) break;
    text += `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    at = (at as Record<string, unknown>)[key];
  }
  return random.chance(0.05) ? `${text}/${random.hostileString(200)}` : text;
}

function directives(random: Random, object: Record<string, unknown>): unknown {
  const directive = random.pick<[string, unknown]>([
    ["$patch", random.pick(["replace", "delete", "merge", "x"])],
    ["$retainKeys", ["spec", random.hostileName()]],
    ["$setElementOrder/containers", [{ name: "main" }, hostileValue(random, 1)]],
    ["$deleteFromPrimitiveList/finalizers", ["a", hostileValue(random, 1)]],
  ]);
  const spec = object.spec;
  if (random.chance(0.5) && typeof spec === "object" && spec !== null) {
    return { ...object, spec: { ...spec, [directive[0]]: directive[1] } };
  }
  return { ...object, [directive[0]]: directive[1] };
}

const SUBRESOURCE_BODIES: Readonly<Record<string, unknown>> = {
  eviction: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "one" }, deleteOptions: {} },
  scale: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "one" }, spec: { replicas: 2 } },
  token: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["a"] } },
  binding: { apiVersion: "v1", kind: "Binding", metadata: { name: "one" }, target: { kind: "Node", name: "n1" } },
};

function subresource(random: Random, endpoint: Endpoint): RequestInput {
  const owner = endpoint.subresources.length > 0 ? endpoint : random.pick(SERVED.filter(hasSubresources));
  const sub = random.pick(owner.subresources);
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(OBJECT_NAMES);
  const base = SUBRESOURCE_BODIES[sub] ?? objectOf(random, owner, name, namespace);
  const format = random.pick(FORMATS);
  return {
    as: anyUser(random),
    method: random.pick(["POST", "PUT", "GET", "DELETE", "PATCH"]),
    target: `${collectionPath(owner, namespace)}/${name}/${sub}${query(random)}`,
    headers: headersOf(random, MEDIA_TYPES[format]),
    body: encodeBody(random, format, mutate(random, base)),
  };
}

const hasSubresources = ({ subresources }: Endpoint): boolean => subresources.length > 0;

function remove(random: Random, endpoint: Endpoint): RequestInput {
  const namespace = random.pick(NAMESPACES);
  const options = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    gracePeriodSeconds: random.pick([0, 30, -1]),
    propagationPolicy: random.pick(["Orphan", "Background", "Foreground", "x"]),
    preconditions: { uid: random.hostileString(50), resourceVersion: "1" },
  };
  const format = random.pick(FORMATS);
  const isCollection = endpoint.namespaced && random.chance(0.2);
  return {
    as: anyUser(random),
    method: "DELETE",
    target: `${collectionPath(endpoint, namespace)}${isCollection ? "" : `/${random.pick(OBJECT_NAMES)}`}${query(random)}`,
    headers: headersOf(random, MEDIA_TYPES[format]),
    body: encodeBody(random, format, mutate(random, options)),
  };
}
