import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseOwnJson } from "../../runtime/encoding/json/parse-own-json.ts";
import { decodeEnvelope, encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { ProtobufError } from "../../runtime/encoding/protobuf/wire-reader.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import type { PlainObject } from "../../runtime/schema/type-schema.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const book = createSchemas(librarySource).of("library/v1.Book");

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const spec = fc.record(
  {
    title: text,
    pages: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    copies: fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    score: fc.double({ noNaN: true, noDefaultInfinity: true }),
    lent: fc.boolean(),
    tags: fc.array(text),
    authors: fc.array(fc.record({ name: text, born: fc.integer({ min: 0, max: 3000 }) })),
    rooms: fc.dictionary(text, fc.record({ colour: text })),
    shelf: fc.oneof(text, fc.integer({ min: -9, max: 9 })),
    weight: fc.constantFrom("500m", "1Gi", "3", "1e3"),
    loan: fc.constantFrom("1h0m0s", "5ms", "-2s", "0s"),
    image: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    at: fc.constant("2024-01-01T00:00:00.000001Z"),
    extra: fc.dictionary(text, fc.oneof(fc.integer(), text, fc.constant(null))),
  },
  { requiredKeys: [] },
);

describe("protobuf", () => {
  it("round-trips every object", () => {
    fc.assert(
      fc.property(spec, fc.dictionary(text, text), (value, labels) => {
        const object = book.decode({ metadata: { labels, created: "2020-02-02T02:02:02Z" }, spec: value });
        expect(book.decodeProtobuf(book.encodeProtobuf(object))).toEqual(object);
      }),
      { numRuns: 300 },
    );
  });

  it("writes a double that is stored as a whole number beyond 2^53", () => {
    const stored = parseOwnJson(Buffer.from('{"spec":{"score":9007199254740992}}')) as PlainObject;
    expect(book.decodeProtobuf(book.encodeProtobuf(stored))).toMatchObject({ spec: { score: 2 ** 53 } });
  });

  it("writes map entries in the order of their keys' bytes", () => {
    const one = book.encodeProtobuf(
      book.decode({ metadata: { labels: { b: "2", a: "1", "\u{1f600}": "4", "\uffee": "3" } } }),
    );
    const other = book.encodeProtobuf(
      book.decode({ metadata: { labels: { "\u{1f600}": "4", "\uffee": "3", a: "1", b: "2" } } }),
    );
    expect(one).toEqual(other);
    const order = ["a", "b", "\uffee", "\u{1f600}"].map((key) => Buffer.from(one).indexOf(key));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it("decodes damaged bytes to an object or a clear error", () => {
    const bytes = Buffer.from(
      book.encodeProtobuf(
        book.decode({
          metadata: { name: "x", labels: { a: "b" } },
          spec: { title: "t", tags: ["a"], extra: { a: 1 }, sequels: [{ title: "s" }], weight: "1", copies: -1 },
        }),
      ),
    );
    const tryAll = (damaged: Uint8Array) => {
      try {
        expect(typeof book.decodeProtobuf(damaged)).toBe("object");
      } catch (error) {
        expect(error).toBeInstanceOf(ProtobufError);
      }
    };
    for (let end = 0; end < bytes.length; end++) tryAll(bytes.subarray(0, end));
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0x00, 0x7f, 0x80, 0xff, 0x0b, 0x0c]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        tryAll(damaged);
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (noise) => tryAll(noise)),
      { numRuns: 2000 },
    );
  });

  it("rejects deep nesting", () => {
    // A sequel inside a sequel inside a sequel: field 12, then the length of the rest.
    let message = Buffer.alloc(0);
    for (let i = 0; i < 3000; i++) {
      const size = [];
      for (let rest = message.length; ; rest >>>= 7) {
        if (rest < 0x80) {
          size.push(rest);
          break;
        }
        size.push((rest & 0x7f) | 0x80);
      }
      message = Buffer.concat([Buffer.from([0x62, ...size]), message]);
    }
    const size = message.length;
    const spec = Buffer.concat([
      Buffer.from([0x12, (size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, size >> 14]),
      message,
    ]);
    expect(() => book.decodeProtobuf(spec)).toThrow(/max depth/);
  });

  it("ignores unknown fields", () => {
    const known = book.encodeProtobuf(book.emptyObject());
    const extended = Buffer.concat([known, Buffer.from("c03e01c23e0161c53e00000000c13e0000000000000000", "hex")]);
    expect(book.decodeProtobuf(extended)).toEqual(book.emptyObject());
  });

  it("merges a message that comes again into the one before", () => {
    const one = { metadata: { name: "a", labels: { a: "1", c: "3" } }, spec: { title: "t", pages: 0, tags: ["x"] } };
    const other = {
      metadata: { name: "z", labels: { b: "2", c: "4" } },
      spec: { tags: ["y"], cover: { colour: "red" } },
    };
    const [first, second] = [one, other].map((value) => book.encodeProtobuf(book.decode(value))) as [Buffer, Buffer];
    const both = Buffer.concat([first, second]);
    const merged = {
      metadata: { name: "z", labels: { a: "1", b: "2", c: "4" } },
      spec: { title: "", pages: 0, tags: ["x", "y"], cover: { colour: "red" } },
    };
    expect(book.decodeProtobuf(both)).toMatchObject(merged);
    expect(book.decodeProtobufSteps && atOnce(book.decodeProtobufSteps(both))).toEqual(book.decodeProtobuf(both));
  });

  it("refuses to merge a large message again and again", () => {
    const labels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`label-${index}`, "x"]));
    const large = book.encodeProtobuf(book.decode({ metadata: { labels } }));
    const again = Buffer.concat([large, ...Array<Buffer>(10_000).fill(Buffer.from("0a030a0161", "hex"))]);
    expect(() => book.decodeProtobuf(again)).toThrow(
      new ProtobufError("proto: the same messages are repeated too often"),
    );
  });

  it("reads tags and lengths that take more bytes than they need", () => {
    const long = Buffer.from("8a8080808000" + "83808080808000" + "0a0161", "hex");
    expect(book.decodeProtobuf(long)).toMatchObject({ metadata: { name: "a" } });
    const tooLarge = Buffer.from(`8a80808080${"80".repeat(4)}01`, "hex");
    expect(() => book.decodeProtobuf(tooLarge)).toThrow(new ProtobufError("proto: integer overflow"));
  });

  it("counts nanoseconds beyond a second, and below zero, as seconds", () => {
    const createdOf = (hex: string) => book.decodeProtobuf(Buffer.from(hex, "hex"));
    const [after, before] = ["1970-01-01T00:00:07Z", "1970-01-01T00:00:04Z"];
    expect(createdOf("0a0a1a08080510ffffffff07")).toMatchObject({ metadata: { created: after } });
    expect(createdOf("0a0f1a0d080510ffffffffffffffffff01")).toMatchObject({ metadata: { created: before } });
  });

  it("takes a quantity without text for 0, and refuses one whose text is empty", () => {
    expect(book.decodeProtobuf(Buffer.from("12024200", "hex"))).toMatchObject({ spec: { weight: "0" } });
    expect(() => book.decodeProtobuf(Buffer.from("120442020a00", "hex"))).toThrow(/^quantities must match the regular/);
  });

  it("reads packed numbers", () => {
    expect(book.decodeProtobuf(Buffer.from("1a050a03010203", "hex"))).toMatchObject({ status: { readers: [1, 2, 3] } });
  });
});

describe("envelopes", () => {
  it("wrap and unwrap", () => {
    const bytes = encodeEnvelope({ apiVersion: "v1", kind: "Pod", raw: Buffer.from("abc") });
    expect(bytes.toString("latin1")).toBe('k8s\0\n\t\n\x02v1\x12\x03Pod\x12\x03abc\x1a\0"\0');
    expect(decodeEnvelope(bytes)).toMatchObject({ apiVersion: "v1", kind: "Pod", contentType: "" });
    expect(Buffer.from(decodeEnvelope(bytes).raw).toString()).toBe("abc");
  });

  it.each([
    ["", "empty data"],
    ["k8s", "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"],
    ["xxxx", "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"],
    ["k8s\0", "empty body"],
    ["k8s\0\n\x02\x08", "unexpected EOF"],
    ["k8s\0\x02\x01a", "proto: Unknown: illegal tag 0 (wire type 2)"],
    ["k8s\0\n\x03\x02\x01a", "proto: TypeMeta: illegal tag 0 (wire type 2)"],
  ])("refuse %j", (text, message) => {
    expect(() => decodeEnvelope(Buffer.from(text, "latin1"))).toThrow(message);
  });
});
