import { type ClientHttp2Session, connect } from "node:http2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";

let plane: Plane;
let session: ClientHttp2Session;

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
  await plane.ready;
  session = connect(plane.client.server, { ca: plane.client.certificateAuthority });
});
afterAll(async () => {
  session?.destroy();
  await plane?.stop();
});

/** Returns the user that the server authenticates for these headers. */
function userOf(headers: Record<string, string | string[]>): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      "content-type": "application/json",
      authorization: `Bearer ${plane.client.token}`,
      ...headers,
    });
    let text = "";
    stream.setEncoding("utf8").on("data", (part: string) => (text += part));
    stream.on("error", reject).on("end", () => resolve(JSON.parse(text).status.userInfo));
    stream.end(JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }));
  });
}

describe("a header of HTTP/2 whose value begins or ends with spaces", () => {
  it("is not left out: the request is that of the impersonated user", async () => {
    for (const name of ["jane ", " jane", "\tjane", " "])
      expect(await userOf({ "impersonate-user": name })).toEqual({ username: name, groups: ["system:authenticated"] });
    expect(await userOf({ "impersonate-user": "jane", "impersonate-group": [" dev", "ops "] })).toEqual({
      username: "jane",
      groups: [" dev", "ops ", "system:authenticated"],
    });
  });

  it("may be that of a token", async () => {
    const authorization = ` Bearer ${plane.client.token} `;
    expect((await userOf({ authorization })).groups).toContain("system:masters");
  });
});
