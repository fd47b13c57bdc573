import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const PODS = "/api/v1/namespaces/default/pods";
const EVENTS = "/api/v1/namespaces/default/events";
/** A version of Table that does not exist: the router accepts it, the negotiation of the handler rejects it. */
const OLD_TABLE = "application/json;as=Table;v=v1alpha1;g=meta.k8s.io";
const UNKNOWN_FIELD = "fieldSelector=spec.colour%3Dred";

const refusal = async (method: string, path: string, accept?: string): Promise<[number, string]> => {
  const { status, body } = await call(method, path, { ...(accept && { headers: { Accept: accept } }) });
  return [status, body?.message ?? ""];
};

describe("a list with two faults is refused for the one that kube-apiserver finds first", () => {
  it("an invalid number and an unacceptable media type: 400 for the number", async () => {
    expect(await refusal("GET", `${PODS}?limit=many`, OLD_TABLE)).toEqual([
      400,
      'strconv.ParseInt: parsing "many": invalid syntax',
    ]);
    const [status, message] = await refusal("GET", `${PODS}?fieldSelector=a%3Db%3Dc%2C`, OLD_TABLE);
    expect([status, message]).toEqual([400, expect.stringContaining("field selector")]);
  });

  it("options that exclude each other and an unacceptable media type: 422 for the options", async () => {
    const [status, message] = await refusal("GET", `${PODS}?resourceVersionMatch=Exact`, OLD_TABLE);
    expect([status, message]).toEqual([422, expect.stringContaining("forbidden unless resourceVersion is provided")]);
    const all = await refusal(
      "GET",
      `${PODS}?resourceVersionMatch=Some&continue=abc&sendInitialEvents=true`,
      OLD_TABLE,
    );
    expect(all).toEqual([
      422,
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless ' +
        "resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is " +
        'provided, resourceVersionMatch: Unsupported value: "Some": supported values: "Exact", "NotOlderThan", "", ' +
        "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]",
    ]);
  });

  it("options that exclude each other and an unknown field: 422 for the options", async () => {
    for (const path of [`${PODS}?${UNKNOWN_FIELD}`, `${PODS}?watch=true&${UNKNOWN_FIELD}`]) {
      const [status, message] = await refusal("GET", `${path}&resourceVersionMatch=Exact`);
      expect([status, message]).toEqual([422, expect.stringContaining("resourceVersionMatch is forbidden")]);
    }
  });

  it("an unacceptable media type and an unknown field: 406, and 400 where only the stream of a watch is not acceptable", async () => {
    expect((await refusal("GET", `${PODS}?${UNKNOWN_FIELD}`, OLD_TABLE))[0]).toBe(406);
    expect((await refusal("GET", `${PODS}?watch=true&${UNKNOWN_FIELD}`, OLD_TABLE))[0]).toBe(406);
    expect((await refusal("GET", `${PODS}?watch=true&${UNKNOWN_FIELD}`, "application/yaml"))[0]).toBe(400);
    expect((await refusal("GET", `${PODS}?watch=true`, "application/yaml"))[0]).toBe(406);
  });

  it("a deletion of a collection is refused for its media type first, then for list options, then for fields", async () => {
    expect((await refusal("DELETE", `${PODS}?limit=many`, OLD_TABLE))[0]).toBe(406);
    expect((await refusal("DELETE", `${PODS}?resourceVersionMatch=Exact&${UNKNOWN_FIELD}`))[0]).toBe(422);
    const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Sideways" };
    const { status, body: answer } = await call("DELETE", `${PODS}?resourceVersionMatch=Exact`, { body });
    expect([status, answer.details.kind]).toEqual([422, "ListOptions"]);
  });
});

describe("a get of an Event, which kube-apiserver reads from the store", () => {
  it("gets 400 for a resourceVersion that is no number, and 500 for other kinds", async () => {
    const detail = 'resourceVersion: Invalid value: "new": strconv.ParseUint: parsing "new": invalid syntax';
    expect(await refusal("GET", `${EVENTS}/missing?resourceVersion=new`)).toEqual([
      400,
      `invalid resource version: ${detail}`,
    ]);
    expect(await refusal("GET", `${PODS}/missing?resourceVersion=new`)).toEqual([500, detail]);
  });

  it("gets 504 at once, without Retry-After, for a resourceVersion that the store has not reached", async () => {
    const { status, headers, body } = await call("GET", `${EVENTS}/missing?resourceVersion=123456789`);
    expect([status, headers["retry-after"]]).toEqual([504, undefined]);
    expect(body.message).toMatch(/^Timeout: Too large resource version: 123456789, current: \d+$/);
    expect(body.details).toEqual({
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    });
  });

  it("gets 404 for an old resourceVersion and a name that does not exist", async () => {
    for (const version of ["0", "1"]) {
      expect((await refusal("GET", `${EVENTS}/missing?resourceVersion=${version}`))[0]).toBe(404);
    }
  });
});
