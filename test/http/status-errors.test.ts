import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient, type Options } from "../fixtures/plane-client.ts";

let plane: Plane;
let call: ReturnType<typeof createClient>;
const MAPS = "/api/v1/namespaces/default/configmaps";
const json = (value: unknown): Options => ({ body: value });
const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "here" }, data: { a: "1" } };

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
  call = createClient(plane);
  await plane.ready;
  await call("POST", MAPS, { body: object });
});

afterAll(() => plane.stop());

/** Errors by request, with code, reason and message of kube-apiserver. */
const rows: readonly [string, string, Options, number, string, string | RegExp][] = [
  ["404 for an absent object", `GET ${MAPS}/absent`, {}, 404, "NotFound", 'configmaps "absent" not found'],
  [
    "404 for an unknown resource",
    "GET /api/v1/nothing",
    {},
    404,
    "NotFound",
    "the server could not find the requested resource",
  ],
  [
    "405 for a method that the path does not support",
    `POST ${MAPS}/here`,
    json({}),
    405,
    "MethodNotAllowed",
    /does not allow this method/,
  ],
  [
    "409 for creating an object that exists",
    `POST ${MAPS}`,
    json(object),
    409,
    "AlreadyExists",
    'configmaps "here" already exists',
  ],
  [
    "409 for an update with a stale resourceVersion",
    `PUT ${MAPS}/here`,
    json({ ...object, metadata: { name: "here", resourceVersion: "1" } }),
    409,
    "Conflict",
    /the object has been modified; please apply your changes to the latest version and try again/,
  ],
  [
    "400 for a name in the body that differs from the URL",
    `PUT ${MAPS}/here`,
    json({ ...object, metadata: { name: "there" } }),
    400,
    "BadRequest",
    "the name of the object (there) does not match the name on the URL (here)",
  ],
  [
    "400 for a namespace in the body that differs from the URL",
    `POST ${MAPS}`,
    json({ ...object, metadata: { name: "x", namespace: "y" } }),
    400,
    "BadRequest",
    "the namespace of the provided object does not match the namespace sent on the request",
  ],
  [
    "422 for an invalid name",
    `POST ${MAPS}`,
    json({ ...object, metadata: { name: "A_" } }),
    422,
    "Invalid",
    /RFC 1123 subdomain/,
  ],
  ["422 for a new object without a name", `POST ${MAPS}`, json({}), 422, "Invalid", /name or generateName is required/],
  [
    "400 for a field of the wrong type",
    `POST ${MAPS}`,
    json({ metadata: { name: "x" }, data: { a: 1 } }),
    400,
    "BadRequest",
    /cannot unmarshal number/,
  ],
  [
    "400 for a body of another kind",
    `POST ${MAPS}`,
    json({ kind: "Secret", apiVersion: "v1" }),
    400,
    "BadRequest",
    /cannot be handled as a ConfigMap/,
  ],
  ["400 for invalid JSON", `POST ${MAPS}`, { body: "{" }, 400, "BadRequest", /unexpected end of JSON input/],
  [
    "400 for JSON that is nested too deeply",
    `POST ${MAPS}`,
    { body: "[".repeat(20_000) },
    400,
    "BadRequest",
    /exceeded max depth/,
  ],
  [
    "400 for invalid YAML",
    `POST ${MAPS}`,
    { body: "a: b: c", type: "application/yaml" },
    400,
    "BadRequest",
    /mapping values are not allowed/,
  ],
  [
    "400 for invalid protobuf",
    `POST ${MAPS}`,
    { body: "xxxx", type: "application/vnd.kubernetes.protobuf" },
    400,
    "BadRequest",
    /expected prefix/,
  ],
  [
    "415 for an unknown Content-Type",
    `POST ${MAPS}`,
    { body: "x", type: "text/plain" },
    415,
    "UnsupportedMediaType",
    /in an unknown format/,
  ],
  [
    "415 for a patch with a Content-Type that is no patch type",
    `PATCH ${MAPS}/here`,
    json({}),
    415,
    "UnsupportedMediaType",
    "415: Unsupported Media Type",
  ],
  [
    "406 for an Accept header with no supported media type",
    `GET ${MAPS}/here`,
    { headers: { Accept: "text/html" } },
    406,
    "NotAcceptable",
    /Not Acceptable/,
  ],
  [
    "413 for a body over the size limit",
    `POST ${MAPS}`,
    { body: "x".repeat(3 * 1024 * 1024 + 1) },
    413,
    "RequestEntityTooLarge",
    "Request entity too large: limit is 3145728",
  ],
  [
    "400 for an invalid label selector",
    `GET ${MAPS}?labelSelector=a%20b`,
    {},
    400,
    "BadRequest",
    /unable to parse requirement/,
  ],
  [
    "400 for an unknown field selector",
    `GET ${MAPS}?fieldSelector=spec.x=1`,
    {},
    400,
    "BadRequest",
    /is not a known field selector/,
  ],
  [
    "400 for a query parameter that is not a number",
    `GET ${MAPS}?limit=x`,
    {},
    400,
    "BadRequest",
    'strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    "400 for invalid numbers before invalid selectors",
    `GET ${MAPS}?labelSelector=((&limit=x&timeoutSeconds=y`,
    {},
    400,
    "BadRequest",
    'strconv.ParseInt: parsing "y": invalid syntax',
  ],
  ["422 for an invalid dryRun", `POST ${MAPS}?dryRun=Some`, json(object), 422, "Invalid", /supported values: "All"/],
  [
    "504 for a resourceVersion that does not exist yet",
    `GET ${MAPS}?resourceVersion=999999999`,
    {},
    504,
    "Timeout",
    /Too large resource version/,
  ],
  ["400 for an invalid continue token", `GET ${MAPS}?continue=x`, {}, 400, "BadRequest", /invalid continue token/],
  [
    "422 for a failed test operation of a JSON patch",
    `PATCH ${MAPS}/here`,
    { body: [{ op: "test", path: "/data/a", value: "9" }], type: "application/json-patch+json" },
    422,
    "Invalid",
    /rejected our request/,
  ],
  [
    "422 for server-side apply without a fieldManager",
    `PATCH ${MAPS}/here`,
    { body: object, type: "application/apply-patch+yaml" },
    422,
    "Invalid",
    /is required for apply patch/,
  ],
  [
    "409 for a delete with a failed uid precondition",
    `DELETE ${MAPS}/here`,
    json({ preconditions: { uid: "x" } }),
    409,
    "Conflict",
    /the UID in the precondition/,
  ],
  [
    "404 for creating an object in an absent namespace",
    "POST /api/v1/namespaces/none/configmaps",
    json(object),
    404,
    "NotFound",
    'namespaces "none" not found',
  ],
];

describe("the server", () => {
  it.each(rows)("answers %s", async (_what, line, options, code, reason, message) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await call(method, path, options);
    expect(answer.body).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason });
    expect(answer.status).toBe(code);
    expect(answer.body.message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  });

  it("sends Retry-After with a timeout", async () => {
    const { headers } = await call("GET", `${MAPS}?resourceVersion=999999999`);
    expect(headers["retry-after"]).toBe("1");
  });

  it("sends errors in the media type of the Accept header", async () => {
    const { text } = await call("GET", `${MAPS}/absent`, { headers: { Accept: "application/yaml" } });
    expect(text).toContain("reason: NotFound\n");
  });

  it("stores keys such as __proto__ and constructor as ordinary data", async () => {
    const body = `{"metadata":{"name":"hostile"},"data":{"__proto__":"x","constructor":"y"}}`;
    const { body: created } = await call("POST", MAPS, { body });
    expect(Object.entries(created.data)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });
});
