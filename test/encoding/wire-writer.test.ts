import { expect, it } from "vitest";
import { WireWriter } from "../../runtime/encoding/protobuf/wire-writer.ts";

it.each<[string, (writer: WireWriter) => void, number[]]>([
  ["a number of one byte", (writer) => writer.varint(0x7f), [0x7f]],
  ["a number of two bytes", (writer) => writer.varint(0x80), [0x80, 1]],
  ["a boolean", (writer) => writer.bool(true), [1]],
  ["a string", (writer) => writer.string("a"), [1, 0x61]],
  ["bytes", (writer) => writer.lengthPrefixed(Buffer.from([7])), [1, 7]],
])("%s is written where the buffer has to grow", (_what, write, expected) => {
  // Every amount of remaining space.
  for (let capacity = 1; capacity <= 4; capacity++) {
    const writer = new WireWriter(capacity);
    for (let count = 0; count < 40; count++) write(writer);
    expect([...writer.take()]).toEqual(Array.from({ length: 40 }, () => expected).flat());
  }
});
