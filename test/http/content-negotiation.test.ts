import { describe, expect, it } from "vitest";
import { StatusError } from "../../runtime/contract/status.ts";
import { createMediaTypes } from "../../runtime/http/negotiate/media-types.ts";
import { checkAccepted, formatOfBody, negotiate } from "../../runtime/http/negotiate/negotiate.ts";

const types = createMediaTypes({ vendor: "kubernetes", domain: "k8s.io" });
const rules = { watch: true, transforms: true };

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) {
      return `${error.httpStatus} ${error.message}`;
    }
  }
  return "accepted";
}

describe("Accept", () => {
  it.each([
    [undefined, "json"],
    ["", "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["application/yaml", "yaml"],
    ["application/vnd.kubernetes.protobuf, application/json", "protobuf"],
    ["application/json;q=0.1, application/yaml;q=0.9", "yaml"],
    ["text/html, application/yaml", "yaml"],
    ["application/json;stream=watch", "json"],
  ])("%s selects %s", (header, format) => {
    expect(negotiate(header, types, rules).format).toBe(format);
  });

  it("selects tables and partial metadata", () => {
    expect(negotiate("application/json;as=Table;v=v1;g=meta.k8s.io", types, rules).transform).toEqual({
      kind: "Table",
      version: "v1",
    });
    expect(
      negotiate("application/json;as=Table;v=v9;g=meta.k8s.io,application/json", types, rules).transform,
    ).toBeUndefined();
  });

  it("gets 406 with the available representations if no media type is supported", () => {
    expect(refusal(() => checkAccepted("text/html", types, { watch: false, transforms: true }))).toBe(
      "406 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    expect(refusal(() => checkAccepted("text/html", types, rules))).toContain("application/json;stream=watch");
  });

  it.each(["application/json;v=v1", "application/json;as=Nothing;v=v1;g=meta.k8s.io", "application/json;stream=x"])(
    "%s gets 406 with the accepted media types",
    (header) => {
      expect(refusal(() => negotiate(header, types, rules))).toBe(
        "406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      );
    },
  );

  it("gets 406 for tables in protobuf", () => {
    const header = "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io";
    expect(refusal(() => negotiate(header, types, rules))).toContain("406");
  });
});

describe("Content-Type", () => {
  it.each([
    [undefined, "json"],
    ["application/JSON", "json"],
    ["application/json; charset=utf-8", "json"],
    ["application/vnd.kubernetes.protobuf", "protobuf"],
  ])("%s is decoded as %s", (header, format) => {
    expect(formatOfBody(header, types)).toBe(format);
  });

  it("gets 415 if it is not supported", () => {
    expect(refusal(() => formatOfBody("text/plain", types))).toContain("415 the body of the request was in an unknown");
  });
});
