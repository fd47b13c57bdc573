import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkPool } from "../../runtime/http/respond/chunk-pool.ts";
import { Chunk, type ChunkSource, ChunkWriter } from "../../runtime/http/respond/chunk-writer.ts";
import { lengthPrefix, prefixedLength, writeLengthPrefix } from "../../runtime/http/respond/length-prefix.ts";

type Step = { readonly text: string } | { readonly bytes: Buffer; readonly start: number } | { readonly byte: number };

const steps = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => ({ text })),
    fc.tuple(fc.uint8Array({ maxLength: 70 }), fc.nat(10)).map(([bytes, start]) => ({
      bytes: Buffer.from(bytes),
      start: Math.min(start, bytes.length),
    })),
    fc.nat(255).map((byte) => ({ byte })),
  ),
  { maxLength: 60 },
);

/** Chunks of a size, which are handed out again when they come back. */
function sourceOf(chunkBytes: number): ChunkSource {
  const free: Chunk[] = [];
  return {
    chunkBytes,
    take: () => free.pop() ?? new Chunk(chunkBytes),
    giveBack: (chunk) => {
      chunk.clear();
      free.push(chunk);
    },
  };
}

/** Writes the steps, sending every full chunk as soon as it is there. */
function send(all: readonly Step[], chunkBytes: number, render: (chunk: Chunk) => Buffer): Buffer[] {
  const writer = new ChunkWriter(sourceOf(chunkBytes));
  const sent: Buffer[] = [];
  const take = (chunk: Chunk): void => {
    sent.push(Buffer.from(render(chunk)));
    writer.giveBack(chunk);
  };
  for (const step of all) {
    if ("text" in step) writer.text(step.text);
    else if ("bytes" in step) writer.bytes(step.bytes, step.start);
    else writer.byte(step.byte);
    writer.takeFull().forEach(take);
  }
  take(writer.takeLast());
  return sent;
}

function expected(all: readonly Step[]): Buffer {
  return Buffer.concat(
    all.map((step) => {
      if ("text" in step) return Buffer.from(step.text);
      return "bytes" in step ? step.bytes.subarray(step.start) : Buffer.of(step.byte);
    }),
  );
}

describe("a response body written by ChunkWriter", () => {
  it("contains all written bytes in chunks that do not exceed the chunk size", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 64 }), (all, chunkBytes) => {
        const sent = send(all, chunkBytes, (chunk) => chunk.content());
        expect(Buffer.concat(sent)).toEqual(expected(all));
        expect(Math.max(...sent.map((content) => content.length))).toBeLessThanOrEqual(chunkBytes);
      }),
    );
  });

  it("frames each chunk as HTTP/1.1 chunked encoding does", () => {
    const text = "0123456789".repeat(30);
    const sent = send([{ text }, { text }], 256, (chunk) => chunk.framed());
    expect(sent.map(String)).toEqual([
      `100\r\n${(text + text).slice(0, 256)}\r\n`,
      `100\r\n${(text + text).slice(256, 512)}\r\n`,
      `58\r\n${(text + text).slice(512)}\r\n`,
    ]);
  });

  it("reuses the chunks of large bodies after they were sent, and not those of small bodies", () => {
    const pool = new ChunkPool();
    const seen = new Set<Chunk>();
    const write = (bytes: Buffer): void => {
      const writer = new ChunkWriter(pool.chunksFor(bytes.length));
      writer.bytes(bytes);
      for (const chunk of [...writer.takeFull(), writer.takeLast()]) {
        seen.add(chunk);
        writer.giveBack(chunk);
      }
    };
    for (let round = 0; round < 10; round++) write(Buffer.alloc(300_000));
    expect(seen.size).toBe(3);
    for (let round = 0; round < 10; round++) write(Buffer.alloc(1_000));
    expect(seen.size).toBe(13);
  });
});

describe("the length prefix of a protobuf field", () => {
  it.each([0, 1, 127, 128, 16_383, 16_384, 54_000_000])("is correct for %i bytes", (length) => {
    const prefix = lengthPrefix(0x12, length);
    expect(prefixedLength(length)).toBe(prefix.length + length);
    expect(prefix[0]).toBe(0x12);
    const value = prefix.slice(1).reduceRight((sum, byte) => sum * 128 + (byte & 0x7f), 0);
    expect(value).toBe(length);
    const bytes: number[] = [];
    writeLengthPrefix(0x12, length, { byte: (byte) => bytes.push(byte) });
    expect(bytes).toEqual([...prefix]);
  });
});
