import type { Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import type { ComparedRequest } from "./compared-request.ts";

const PLAIN = [
  ...[
    "/version",
    "/api",
    "/apis",
    "/api/v1",
    "/healthz",
    "/livez",
    "/readyz",
    "/livez/ping",
    "/healthz/ping",
    "/livez/absent",
    "/absent",
    "/",
  ],
  ...[
    "/api/v2",
    "/apis/absent",
    "/apis/apps",
    "/apis/apps/v9",
    "/api/v1/absent",
    "/api/v1/namespaces/default/absent",
    "/api/",
    "/apis/",
  ],
  ...[
    "/.well-known/openid-configuration",
    "/openid/v1/jwks",
    "/logs",
    "/logs/",
    "/openapi",
    "/openapi/v2/absent",
    "/openapi/v3/absent",
  ],
  ...[
    "/readyz?exclude=ping",
    "/readyz?verbose&exclude=absent",
    "/api/v1/watch/pods/",
    "/apis/apps/v1/watch/x",
    "/ui",
    "/swaggerapi",
    "//api",
    "/api//v1",
  ],
];
const DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Discovery and OpenAPI documents, and paths that belong to no kind, each once. */
export async function documents(call: PlaneClient): Promise<ComparedRequest[]> {
  const groups = ((await call("GET", "/apis")).body.groups as Parsed[]).flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map(({ groupVersion }: Parsed) => `/apis/${groupVersion}`),
  ]);
  const specs = Object.keys((await call("GET", "/openapi/v3")).body.paths);
  const read = (path: string, Accept = "application/json", view?: ComparedRequest["view"]): ComparedRequest => ({
    method: "GET",
    path,
    headers: { Accept },
    what: Accept,
    ...(view !== undefined && { view }),
  });
  return [
    ...[...PLAIN, ...groups].map((path) => read(path, "application/json", sortedResources)),
    ...["POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "X"].flatMap((method) =>
      ["/version", "/apis", "/api/v1", "/healthz", "/openapi/v2", "/absent"].map((path) => ({
        ...read(path, "application/json", shapeOf),
        method,
      })),
    ),
    ...["/api", "/apis"].flatMap((path) =>
      [
        DISCOVERY,
        DISCOVERY.replace("v2;", "v2beta1;"),
        `${DISCOVERY},application/json`,
        "text/html",
        "application/yaml",
      ].map((accept) => read(path, accept)),
    ),
    read("/openapi/v3", "application/json", ({ paths }) => Object.keys(paths ?? {})),
    ...specs.map((path) => read(`/openapi/v3/${path}`, "application/json", shapeOf)),
    read("/openapi/v2", "application/json", shapeOf),
  ];
}

/** Sorts resources of custom kinds, whose order is random. */
function sortedResources(body: Parsed): unknown {
  if (body?.kind !== "APIResourceList") return body;
  return { ...body, resources: body.resources.toSorted((a: Parsed, b: Parsed) => (a.name < b.name ? -1 : 1)) };
}

/** Removes the descriptions of a document, which each project writes itself. */
function shapeOf(value: Parsed): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value;
  const isText = (name: string, member: unknown) => name === "description" && typeof member === "string";
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isText(name, member))
      .map(([name, member]) => [name, shapeOf(member)]),
  );
}
