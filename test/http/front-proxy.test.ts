import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority, type TestCertificate } from "../fixtures/certificates.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-proxies-"));
const proxies = createAuthority("proxies");
const clients = createAuthority("clients");
let plane: Plane;

const file = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(async () => {
  plane = await startPlane({
    flags: {
      controllers: "false",
      "client-ca-file": file("clients.pem", clients.authority),
      "requestheader-client-ca-file": file("proxies.pem", proxies.authority),
      "requestheader-allowed-names": "front,side",
      "requestheader-username-headers": "X-Remote-User,X-User",
      "requestheader-uid-headers": "X-Remote-Uid",
      "requestheader-group-headers": "X-Remote-Group",
      "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    },
  });
  await plane.ready;
});

afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true });
});

/** Returns the user that the server authenticates, or the code of its rejection. */
function whoami(certificate: TestCertificate, headers: Record<string, string | string[]>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${plane.client.server}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        method: "POST",
        ca: plane.client.certificateAuthority,
        agent: false,
        ...certificate,
        headers: { "Content-Type": "application/json", ...headers },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => {
          const { status, code } = JSON.parse(text);
          resolve(code ?? status.userInfo);
        });
      },
    );
    sent.on("error", reject);
    sent.end("{}");
  });
}

const bob = { "X-Remote-User": "bob" };

describe("authentication by a front proxy", () => {
  it("takes user, uid, groups and extra from the request headers", async () => {
    const headers = {
      ...bob,
      "X-User": "not asked any more",
      "X-Remote-Uid": "7",
      "X-Remote-Group": ["dev", "ops, night", ""],
      "X-Remote-Extra-Acme.example%2fScopes": ["a", "b"],
      Authorization: `Bearer ${plane.client.token}`,
    };
    expect(await whoami(proxies.issue("front", "client"), headers)).toEqual({
      username: "bob",
      uid: "7",
      groups: ["dev", "ops, night", "system:authenticated"],
      extra: { "acme.example/scopes": ["a", "b"] },
    });
    expect(await whoami(proxies.issue("side", "client"), { "x-user": "eve" })).toMatchObject({ username: "eve" });
  });

  it("ignores the headers of clients without a valid certificate of an allowed proxy", async () => {
    expect(await whoami(proxies.issue("other", "client"), bob)).toBe(401);
    expect(await whoami(createAuthority("proxies").issue("front", "client"), bob)).toBe(401);
    expect(await whoami(proxies.issue("front", "server"), bob)).toBe(401);
    const client = clients.issue("front", "client", { organizations: ["dev"] });
    expect(await whoami(client, bob)).toMatchObject({ username: "front", groups: ["dev", "system:authenticated"] });
    expect(
      await whoami({ cert: "", key: "" }, { ...bob, Authorization: `Bearer ${plane.client.token}` }),
    ).toMatchObject({
      username: "admin",
    });
  });

  it("gets 401 without a user header, unless another credential is sent", async () => {
    expect(await whoami(proxies.issue("front", "client"), {})).toBe(401);
    const withToken = { Authorization: `Bearer ${plane.client.token}` };
    expect(await whoami(proxies.issue("front", "client"), withToken)).toMatchObject({ username: "admin" });
  });

  it("is published for extension servers in the ConfigMap extension-apiserver-authentication", async () => {
    const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    const body = (await (await plane.fetch(path)).json()) as { readonly data: unknown };
    expect(body.data).toEqual({
      "client-ca-file": clients.authority,
      "requestheader-client-ca-file": expect.stringMatching(
        new RegExp(
          `^${proxies.authority.replaceAll("+", "\\+")}-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n$`,
        ),
      ),
      "requestheader-allowed-names": '["front","side","front-proxy-client"]',
      "requestheader-username-headers": '["X-Remote-User","X-User"]',
      "requestheader-uid-headers": '["X-Remote-Uid"]',
      "requestheader-group-headers": '["X-Remote-Group"]',
      "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    });
  });
});
