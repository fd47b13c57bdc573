import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { FloatLiteral } from "../../runtime/lib/float-literal.ts";
import { DecodeError } from "../../runtime/schema/schema-errors.ts";
import { schemas } from "../kinds/conversions/converters.ts";

function refusal(type: string, object: object): { read: string; restored: string } {
  try {
    schemas.of<ApiObject>(type as TypeRef).decode(object);
  } catch (error) {
    if (error instanceof DecodeError) return { read: error.message, restored: error.restoring };
    throw error;
  }
  return { read: "", restored: "" };
}

const pod = (container: object) => ({ spec: { containers: [container] } });

describe("a value of the wrong type", () => {
  it.each([
    ["core/v1.Pod", { spec: "x" }, "cannot restore struct from: string"],
    ["core/v1.Pod", { spec: [] }, "cannot restore struct from: slice"],
    ["core/v1.Pod", { metadata: { labels: 1 } }, "cannot restore map from int64"],
    ["core/v1.Pod", { spec: { containers: true } }, "cannot restore slice from bool"],
    ["core/v1.Pod", { metadata: { labels: { a: 1 } } }, "cannot convert int64 to string"],
    ["core/v1.Pod", { metadata: { labels: { a: 1.5 } } }, "unrecognized type: string"],
    ["core/v1.Pod", { metadata: { labels: { a: {} } } }, "unrecognized type: string"],
    ["core/v1.Pod", pod({ imagePullPolicy: 5 }), "cannot convert int64 to v1.PullPolicy"],
    ["core/v1.Pod", pod({ stdin: "yes" }), "unrecognized type: bool"],
    ["core/v1.Pod", pod({ ports: [{ containerPort: 1.5 }] }), "cannot convert float64 to int32"],
    ["core/v1.Pod", pod({ ports: [{ containerPort: "x" }] }), "unrecognized type: int32"],
    ["core/v1.Secret", { data: { a: "?" } }, "error decoding from json: illegal base64 data at input byte 0"],
  ])("of a merged %s has its own error message: %j", (type, object, words) => {
    expect(refusal(type, object).restored).toBe(words);
  });

  it("is reported with its path for types with their own decoder", () => {
    const [ofList, ofNumber] = [[], 1].map((acquireTime) =>
      refusal("coordination/v1.Lease", { spec: { acquireTime } }),
    );
    expect(ofList?.read).toBe(
      "json: cannot unmarshal array into Go struct field LeaseSpec.spec.acquireTime of type string",
    );
    expect(ofList?.restored).toBe("json: cannot unmarshal array into Go value of type string");
    expect(ofNumber?.read).toBe(
      "json: cannot unmarshal number into Go struct field LeaseSpec.spec.acquireTime of type string",
    );
  });
});

it("names the type of a byte in the error for a list of strings that stands for bytes", () => {
  const schema = schemas.of<ApiObject>("certificates/v1.CertificateSigningRequest" as TypeRef);
  const decode = () => schema.decode({ spec: { request: ["a"] } }, { restores: true });
  expect(decode).toThrow(expect.objectContaining({ restoring: "unrecognized type: uint8" }));
});

it("reads a whole number that was written as a float where a number or a string may stand, if it was merged", () => {
  const schema = schemas.of<ApiObject>("core/v1.Service" as TypeRef);
  const portOf = (text: string) => ({ spec: { ports: [{ port: 80, targetPort: new FloatLiteral(text) }] } });
  expect(() => schema.decode(portOf("80.0"))).toThrow("cannot unmarshal number 80.0");
  for (const [text, targetPort] of Object.entries({ "80.0": 80, "8e1": 80, "-0.0": 0 }))
    expect(schema.decode(portOf(text), { restores: true })).toMatchObject({ spec: { ports: [{ targetPort }] } });
  expect(() => schema.decode(portOf("80.5"), { restores: true })).toThrow("cannot unmarshal number 80.5");
});

describe("a number too big for its type", () => {
  it("is rejected when it is decoded and truncated when it is merged, as in Go", () => {
    const schema = schemas.of<ApiObject>("scheduling/v1.PriorityClass" as TypeRef);
    expect(() => schema.decode({ value: 99_999_999_999 })).toThrow("cannot unmarshal number 99999999999");
    expect(schema.decode({ value: 99_999_999_999 }, { restores: true })).toMatchObject({ value: 1_215_752_191 });
    expect(schema.decode({ value: 2n ** 40n + 7n }, { restores: true })).toMatchObject({ value: 7 });
    for (const beyond of [1e30, -1e30, 2n ** 64n])
      expect(schema.decode({ value: beyond }, { restores: true })).toMatchObject({ value: 0 });
    expect(() => schema.decode({ value: 1.5 }, { restores: true })).toThrow("cannot unmarshal number");
    const pod = schemas.of<ApiObject>("core/v1.Pod" as TypeRef);
    expect(pod.decode({ spec: { terminationGracePeriodSeconds: 1e30 } }, { restores: true })).toMatchObject({
      spec: { terminationGracePeriodSeconds: -(2n ** 63n) },
    });
  });

  it("is a float in raw data", () => {
    const schema = schemas.of<ApiObject>("apps/v1.ControllerRevision" as TypeRef);
    const restored = schema.decode({ data: { big: 2n ** 64n, long: 2n ** 60n } }, { restores: true });
    expect(restored).toMatchObject({ data: { big: 2 ** 64, long: 2n ** 60n } });
  });
});
