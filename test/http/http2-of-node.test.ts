import { expect, it } from "vitest";
import { canServeHttp2 } from "../../runtime/http/transport/create-http-server.ts";

it.each([
  ["22.18.0", true],
  ["22.23.3", true],
  ["23.6.0", false],
  ["23.11.1", false],
  ["24.1.0", false],
  ["24.2.0", true],
  ["24.21.0", true],
  ["26.10.0", true],
])("Node %s can serve HTTP/2 without dropping header values with spaces: %s", (version, expected) => {
  expect(canServeHttp2(version)).toBe(expected);
});
