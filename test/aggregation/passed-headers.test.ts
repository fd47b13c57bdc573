import { describe, expect, it } from "vitest";
import { identityHeaders } from "../../runtime/aggregation/identity-headers.ts";
import { answerHeaders, requestHeaders } from "../../runtime/aggregation/passed-headers.ts";
import { escapePath } from "../../runtime/aggregation/percent-escape.ts";
import { readQuery } from "../../runtime/http/pipeline/query.ts";

const RULES = {
  identity: { names: new Set(["x-user"]), prefixes: ["x-more-"] },
  tokenProtocol: "base64url.bearer.authorization.k8s.io.",
};

function message(rawHeaders: string[]) {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers[rawHeaders[index]!.toLowerCase()] = rawHeaders[index + 1]!;
  return { rawHeaders, headers };
}

const passed = (...rawHeaders: string[]) => requestHeaders(message(rawHeaders), RULES);

describe("headers of a request that is proxied to an extension server", () => {
  it("contain no credentials and no identity headers of the client, in any spelling", () => {
    const said = [
      "authorization",
      "X-Remote-User",
      "x-remote-uid",
      "X-REMOTE-GROUP",
      "X-Remote-Extra-A",
      "Impersonate-Uid",
    ];
    const told = ["X-User", "X-More-Scopes", ":authority", "Host", "Proxy-Authorization"];
    expect(passed(...[...said, ...told].flatMap((name) => [name, "x"]), "Accept", "a", "accept", "b")).toEqual([
      ...["Accept", "a", "accept", "b"],
    ]);
  });

  it("contain no bearer token in a WebSocket protocol name", () => {
    const token = `${RULES.tokenProtocol}c2VjcmV0`;
    expect(passed("Sec-WebSocket-Protocol", `${token}, v4.channel`)).toEqual(["Sec-WebSocket-Protocol", "v4.channel"]);
    expect(passed("Sec-WebSocket-Protocol", token)).toEqual([]);
  });

  it("contain no hop-by-hop headers", () => {
    expect(passed("Connection", "close, X-Own", "X-Own", "1", "TE", "trailers", "Upgrade", "h2c", "X-A", "")).toEqual([
      "X-A",
      "",
    ]);
  });

  it("contain the user in UTF-8, with escaped keys of extra attributes", () => {
    const user = { name: "zoë", uid: "7", groups: ["a", "b"], extra: { "example.com/é%": ["1", "2"] } };
    const key = "X-Remote-Extra-example.com%2F%C3%A9%25";
    expect(identityHeaders(user, true)).toEqual([
      ["X-Remote-User", "zo\xc3\xab"],
      ["X-Remote-Uid", "7"],
      ["X-Remote-Group", "a"],
      ["X-Remote-Group", "b"],
      [key, "1"],
      [key, "2"],
    ]);
    expect(identityHeaders(user, false).map(([name]) => name)).not.toContain("X-Remote-Uid");
  });
});

it("removes invalid headers and headers of this server from a response", () => {
  const raw = ["X-A", "1", "x-a", "2", "X-Bad", "a\x01b", "Bad Name", "x", "Connection", "X-Own", "X-Own", "1"];
  const origins = ["Access-Control-Allow-Origin", "*", "HTTP2-Settings", "x"];
  expect([...answerHeaders(message([...raw, ...origins])).values()]).toEqual([{ name: "X-A", values: ["1", "2"] }]);
});

it("escapes paths as Go does, and drops query parts that Go does not parse", () => {
  expect(escapePath("/apis/a b/ü?#%/c:d@e;f")).toBe("/apis/a%20b/%C3%BC%3F%23%25/c:d@e;f");
  expect(readQuery("a=1&&b;c=2&d=%zz&e=%20&f").text).toBe("a=1&e=%20&f");
});
