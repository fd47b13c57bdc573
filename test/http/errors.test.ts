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

/** Section 7, and what the specification leaves to Kubernetes: request, code, reason, message. */
const rows: readonly [string, string, Options, number, string, string | RegExp][] = [
  ["an absent object", `GET ${MAPS}/absent`, {}, 404, "NotFound", 'configmaps "absent" not found'],
  [
    "an absent resource",
    "GET /api/v1/nothing",
    {},
    404,
    "NotFound",
    "the server could not find the requested resource",
  ],
  ["a method nobody answers", `POST ${MAPS}/here`, json({}), 405, "MethodNotAllowed", /does not allow this method/],
  ["a second creation", `POST ${MAPS}`, json(object), 409, "AlreadyExists", 'configmaps "here" already exists'],
  [
    "a stale version",
    `PUT ${MAPS}/here`,
    json({ ...object, metadata: { name: "here", resourceVersion: "1" } }),
    409,
    "Conflict",
    /the object has been modified; please apply your changes to the latest version and try again/,
  ],
  [
    "another name in the body",
    `PUT ${MAPS}/here`,
    json({ ...object, metadata: { name: "there" } }),
    400,
    "BadRequest",
    "the name of the object (there) does not match the name on the URL (here)",
  ],
  [
    "another namespace in the body",
    `POST ${MAPS}`,
    json({ ...object, metadata: { name: "x", namespace: "y" } }),
    400,
    "BadRequest",
    "the namespace of the provided object does not match the namespace sent on the request",
  ],
  ["a bad name", `POST ${MAPS}`, json({ ...object, metadata: { name: "A_" } }), 422, "Invalid", /RFC 1123 subdomain/],
  ["no name", `POST ${MAPS}`, json({}), 422, "Invalid", /name or generateName is required/],
  [
    "a type mismatch",
    `POST ${MAPS}`,
    json({ metadata: { name: "x" }, data: { a: 1 } }),
    400,
    "BadRequest",
    /cannot unmarshal number/,
  ],
  [
    "another kind",
    `POST ${MAPS}`,
    json({ kind: "Secret", apiVersion: "v1" }),
    400,
    "BadRequest",
    /cannot be handled as a ConfigMap/,
  ],
  ["broken JSON", `POST ${MAPS}`, { body: "{" }, 400, "BadRequest", /unexpected end of JSON input/],
  ["deep nesting", `POST ${MAPS}`, { body: "[".repeat(20_000) }, 400, "BadRequest", /exceeded max depth/],
  [
    "broken YAML",
    `POST ${MAPS}`,
    { body: "a: b: c", type: "application/yaml" },
    400,
    "BadRequest",
    /mapping values are not allowed/,
  ],
  [
    "broken protobuf",
    `POST ${MAPS}`,
    { body: "xxxx", type: "application/vnd.kubernetes.protobuf" },
    400,
    "BadRequest",
    /expected prefix/,
  ],
  [
    "an unknown format",
    `POST ${MAPS}`,
    { body: "x", type: "text/plain" },
    415,
    "UnsupportedMediaType",
    /in an unknown format/,
  ],
  ["a patch of no kind", `PATCH ${MAPS}/here`, json({}), 415, "UnsupportedMediaType", "415: Unsupported Media Type"],
  [
    "a format nobody speaks",
    `GET ${MAPS}/here`,
    { headers: { Accept: "text/html" } },
    406,
    "NotAcceptable",
    /Not Acceptable/,
  ],
  [
    "a body over the limit",
    `POST ${MAPS}`,
    { body: "x".repeat(3 * 1024 * 1024 + 1) },
    413,
    "RequestEntityTooLarge",
    "Request entity too large: limit is 3145728",
  ],
  ["a bad selector", `GET ${MAPS}?labelSelector=a%20b`, {}, 400, "BadRequest", /unable to parse requirement/],
  [
    "an unknown field selector",
    `GET ${MAPS}?fieldSelector=spec.x=1`,
    {},
    400,
    "BadRequest",
    /is not a known field selector/,
  ],
  ["a bad number", `GET ${MAPS}?limit=x`, {}, 400, "BadRequest", 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    "bad numbers before bad selectors",
    `GET ${MAPS}?labelSelector=((&limit=x&timeoutSeconds=y`,
    {},
    400,
    "BadRequest",
    'strconv.ParseInt: parsing "y": invalid syntax',
  ],
  ["a bad dry run", `POST ${MAPS}?dryRun=Some`, json(object), 422, "Invalid", /supported values: "All"/],
  [
    "a version from the future",
    `GET ${MAPS}?resourceVersion=999999999`,
    {},
    504,
    "Timeout",
    /Too large resource version/,
  ],
  ["a made-up continue token", `GET ${MAPS}?continue=x`, {}, 400, "BadRequest", /invalid continue token/],
  [
    "a failed test of a patch",
    `PATCH ${MAPS}/here`,
    { body: [{ op: "test", path: "/data/a", value: "9" }], type: "application/json-patch+json" },
    422,
    "Invalid",
    /rejected our request/,
  ],
  [
    "apply without a manager",
    `PATCH ${MAPS}/here`,
    { body: object, type: "application/apply-patch+yaml" },
    422,
    "Invalid",
    /is required for apply patch/,
  ],
  [
    "a precondition that fails",
    `DELETE ${MAPS}/here`,
    json({ preconditions: { uid: "x" } }),
    409,
    "Conflict",
    /the UID in the precondition/,
  ],
  [
    "a namespace that is not there",
    "POST /api/v1/namespaces/none/configmaps",
    json(object),
    404,
    "NotFound",
    'namespaces "none" not found',
  ],
];

describe("errors", () => {
  it.each(rows)("%s", async (_what, line, options, code, reason, message) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await call(method, path, options);
    expect(answer.body).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason });
    expect(answer.status).toBe(code);
    expect(answer.body.message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  });

  it("tell a client when to come back", async () => {
    const { headers } = await call("GET", `${MAPS}?resourceVersion=999999999`);
    expect(headers["retry-after"]).toBe("1");
  });

  it("are written in the format the client reads", async () => {
    const { text } = await call("GET", `${MAPS}/absent`, { headers: { Accept: "application/yaml" } });
    expect(text).toContain("reason: NotFound\n");
  });

  it("leave hostile keys harmless", async () => {
    const body = `{"metadata":{"name":"hostile"},"data":{"__proto__":"x","constructor":"y"}}`;
    const { body: created } = await call("POST", MAPS, { body });
    expect(Object.entries(created.data)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });
});
