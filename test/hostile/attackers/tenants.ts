import type { Attacker, Input, Outcome } from "../input.ts";
import { MARKER_OF_B } from "../prepare.ts";
import type { Random } from "../random.ts";
import { VALID_OBJECTS } from "../valid-objects.ts";
import { apiVersionOf, asTarget, collectionPath, type Endpoint, SERVED } from "./targets.ts";

/** Tenant A requests everything in every way. No response may contain anything of tenant B. */
export const intruder: Attacker = {
  name: "intruder",
  lanes: 6,
  make(random) {
    const endpoint = random.pick(
      random.chance(0.5)
        ? SERVED.filter(({ resource }) => /^(configmaps|secrets|serviceaccounts|namespaces)$/.test(resource))
        : SERVED,
    );
    const method = random.pick(["GET", "GET", "GET", "PUT", "PATCH", "POST", "DELETE"]);
    const hasBody = method === "PUT" || method === "PATCH" || method === "POST";
    const namespace = random.pick([
      "tenant-a",
      "tenant-b",
      "tenant-b",
      "*",
      "",
      "TENANT-B",
      "tenant-b%00",
      "kube-system",
    ]);
    const body = {
      apiVersion: apiVersionOf(endpoint),
      kind: endpoint.kind,
      metadata: { name: "treasure", namespace: random.pick(["tenant-a", "tenant-b", undefined]) },
      ...VALID_OBJECTS[endpoint.resource],
    };
    return {
      kind: "request",
      request: {
        as: "tenant-a",
        method,
        target: asTarget(`${reach(random, endpoint, namespace)}${trick(random)}`),
        headers: [
          [
            "Accept",
            random.pick(["application/json", "application/json;as=Table;g=meta.k8s.io;v=v1", "application/yaml"]),
          ],
          ...random.pick<[string, string][]>([
            [],
            [],
            [["Impersonate-User", "tenant-b"]],
            [["X-Remote-User", "tenant-b"]],
          ]),
          ["Content-Type", method === "PATCH" ? "application/merge-patch+json" : "application/json"],
        ],
        ...(hasBody && { body: Buffer.from(JSON.stringify(body)) }),
      },
    };
  },
  judge(_: Input, { received }: Outcome) {
    return received.includes(MARKER_OF_B) ? "tenant A read what is tenant B's" : undefined;
  },
};

/** Returns a path or query that refers to an object of another namespace. */
function reach(random: Random, endpoint: Endpoint, namespace: string): string {
  const path = collectionPath(endpoint, namespace);
  const object = `${path}/treasure`;
  const { resource } = endpoint;
  const base = endpoint.group === "" ? `/api/${endpoint.version}` : `/apis/${apiVersionOf(endpoint)}`;
  return random.pick([
    path,
    object,
    `${object}/${random.pick(["status", "scale", "token", "log", "finalize", "x"])}`,
    `${base}/${resource}`,
    `${base}/watch/namespaces/${namespace}/${resource}`,
    `${base}/watch/${resource}`,
    `${base}/namespaces/tenant-a/namespaces/tenant-b/${resource}`,
    `${base}/namespaces/tenant-a/../tenant-b/${resource}`,
    `${base}/namespaces/tenant-a%2f..%2ftenant-b/${resource}`,
    `${base}/namespaces/tenant-a/namespaces/tenant-b`,
    `/api/v1/namespaces/tenant-a/${random.pick(["namespaces", "nodes", "persistentvolumes"])}/tenant-b`,
    `${base}//namespaces//${namespace}//${resource}//treasure`,
    `${base}/namespaces/tenant-a/${resource}/..%2f..%2ftenant-b%2f${resource}%2ftreasure`,
    `${base}/proxy/namespaces/tenant-b/${resource}/treasure`,
  ]);
}

function trick(random: Random): string {
  const start = Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: -1, start: "../tenant-b/\0" })).toString(
    "base64url",
  );
  return random.pick([
    "",
    "",
    "",
    "?watch=1&timeoutSeconds=1",
    "?fieldSelector=metadata.namespace%3Dtenant-b",
    "?fieldSelector=metadata.name%3Dtreasure",
    "?fieldSelector=metadata.namespace%3Dtenant-a,metadata.name!%3D%zz",
    "?labelSelector=treasure",
    `?limit=1&continue=${start}`,
    "?namespace=tenant-b",
    "?resourceVersion=1&resourceVersionMatch=Exact",
    "?dryRun=All",
  ]);
}

/** Tenant B works in its own namespace meanwhile and must be served. */
export const neighbour: Attacker = {
  name: "neighbour",
  lanes: 1,
  patienceMs: 20_000,
  make(random) {
    const path = "/api/v1/namespaces/tenant-b/configmaps";
    const name = `load-${random.int(50)}`;
    const body = Buffer.from(JSON.stringify({ metadata: { name }, data: { marker: MARKER_OF_B } }));
    const json: [string, string][] = [["Content-Type", "application/json"]];
    return {
      kind: "request",
      request: random.pick([
        { as: "tenant-b", method: "GET", target: `${path}/treasure` },
        { as: "tenant-b", method: "GET", target: `${path}?labelSelector=treasure&limit=5` },
        { as: "tenant-b", method: "POST", target: path, headers: json, body },
        { as: "tenant-b", method: "DELETE", target: `${path}/${name}` },
      ] as const),
    };
  },
  judge(_: Input, { statuses, ended, received }: Outcome) {
    const [status] = statuses;
    return status === 200 || status === 201 || status === 404 || status === 409
      ? undefined
      : `tenant B was not served: ${status ?? ended} ${received.toString("latin1", 0, 500)}`;
  },
};
