import { describe, expect, it } from "vitest";
import { decodeCbor } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { MAX_DEPTH } from "../../runtime/encoding/max-depth.ts";
import { decodeEnvelope, encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { WireReader } from "../../runtime/encoding/protobuf/wire-reader.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { expectLinear } from "./growth.ts";

const bytes = (...parts: (number | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.from([part]) : part)));
const repeated = (n: number, ...item: number[]): Buffer =>
  Buffer.alloc(Math.ceil(n / item.length) * item.length, Buffer.from(item));

const CBOR: Readonly<Record<string, (n: number) => Buffer>> = {
  "a list of unknown length": (n) => bytes(0x9f, repeated(n, 0x01), 0xff),
  "a list that does not end": (n) => bytes(0x9f, repeated(n, 0x01)),
  "a string in pieces of nothing": (n) => bytes(0x5f, repeated(n, 0x40), 0xff),
  "a string in pieces of a byte": (n) => bytes(0x7f, repeated(n, 0x61, 0x61), 0xff),
  "a map with one key over and over": (n) => bytes(0xbf, repeated(n, 0x41, 0x61, 0x01), 0xff),
  "a map of many keys": (n) => encodeCbor(Object.fromEntries(Array.from({ length: n / 8 }, (_, i) => [`key${i}`, i]))),
  "lists in lists": (n) => repeated(n, 0x81),
  "tags of tags": (n) => repeated(n, 0xc1),
  "a length that is a lie": (n) => bytes(0x9a, 0x7f, 0xff, 0xff, 0xff, repeated(n, 0x01)),
  breaks: (n) => repeated(n, 0xff),
  "floats and integers of eight bytes": (n) => bytes(0x9f, repeated(n, 0x1b, 0x7f, 0, 0, 0, 0, 0, 0, 1), 0xff),
};

const PROTOBUF: Readonly<Record<string, (n: number) => Buffer>> = {
  "a number that does not end": (n) => repeated(n, 0x80),
  "groups in groups": (n) => repeated(n, 0x0b),
  "groups that follow each other": (n) => repeated(n, 0x0b, 0x0c),
  "fields that nobody knows": (n) => repeated(n, 0x78, 0x01),
  "an empty string over and over": (n) => repeated(n, 0x1a, 0x00),
  "a type over and over": (n) => repeated(n, 0x0a, 0x04, 0x0a, 0x02, 0x76, 0x31),
};

describe("CBOR is read and written in linear time", () => {
  for (const [name, document] of Object.entries(CBOR)) {
    it(`where it is ${name}`, () => expectLinear(document, (body) => encodeCbor(decodeCbor(body)), { size: 100_000 }));
  }
});

describe("protobuf is read in linear time", () => {
  for (const [name, message] of Object.entries(PROTOBUF)) {
    it(`where it is ${name}`, () =>
      expectLinear((n) => bytes(Buffer.from("k8s\0"), message(n)), decodeEnvelope, { size: 100_000 }));
  }

  it("where a string is made of many fields of a message", () =>
    expectLinear(
      (n) => repeated(n, 0x0a, 0x01, 0x61),
      (body) => {
        const reader = new WireReader(body);
        while (!reader.atEnd) {
          reader.uint32();
          reader.string();
        }
      },
      { size: 300_000 },
    ));
});

describe("bodies in CBOR and protobuf", () => {
  const PATH = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const { call } = servePlane({ controllers: "true" });

  it("that are malformed get a Status other than 500", async () => {
    const bodies = [...Object.values(CBOR), ...Object.values(PROTOBUF)].map((make) => make(3000));
    for (const type of ["application/cbor", "application/vnd.kubernetes.protobuf"]) {
      for (const body of bodies) {
        const raw = encodeEnvelope({ apiVersion: "apps/v1", kind: "ControllerRevision", raw: body });
        for (const sent of [body, bytes(Buffer.from("k8s\0"), body), raw]) {
          const answer = await call("POST", PATH, { type, body: sent });
          expect(answer.status, answer.text.slice(0, 300)).toBeGreaterThanOrEqual(400);
          expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
        }
      }
    }
  });

  /** A ControllerRevision in protobuf whose data is this JSON. */
  const revision = (name: string, json: string): Buffer => {
    const field = (number: number, content: Buffer): Buffer => {
      const length: number[] = [];
      let rest = content.length;
      for (; rest >= 0x80; rest >>= 7) length.push((rest & 0x7f) | 0x80);
      return bytes((number << 3) | 2, Buffer.from([...length, rest]), content);
    };
    const raw = bytes(field(1, field(1, Buffer.from(name))), field(2, field(1, Buffer.from(json))), 0x18, 0x01);
    return encodeEnvelope({ apiVersion: "apps/v1", kind: "ControllerRevision", raw });
  };

  it("apply the limits of JSON to embedded JSON", async () => {
    const type = "application/vnd.kubernetes.protobuf";
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const refused = [nested(MAX_DEPTH), nested(4000), nested(200_000), '{"a":1e400}', `{"a":${"9".repeat(100_000)}}`];
    for (const json of refused) {
      const answer = await call("POST", PATH, {
        type,
        body: revision("refused", json),
        headers: { Accept: "application/json" },
      });
      expect(answer.status, `${json.slice(0, 30)}: ${answer.text.slice(0, 300)}`).toBe(400);
    }
    const body = revision("accepted", nested(MAX_DEPTH - 10));
    const answer = await call("POST", PATH, { type, body, headers: { Accept: "application/json" } });
    expect(answer.status, answer.text.slice(0, 300)).toBe(201);
    for (const accept of ["application/json", "application/yaml", type]) {
      const read = await call("GET", `${PATH}/accepted`, { headers: { Accept: accept } });
      expect(read.status, accept).toBe(200);
      const sent = accept === type ? read.bytes : read.text;
      const again = await call("PUT", `${PATH}/accepted`, { type: accept, body: sent });
      expect(again.status, `${accept}: ${again.text.slice(0, 300)}`).toBe(200);
    }
  });
});
