import { expect, it } from "vitest";
import { thingCodec } from "../watch/cache-fixture.ts";

it("an object with another revision is the same otherwise, however its metadata is written", () => {
  const codec = thingCodec();
  const labels = { a: "b", resourceVersion: "7" };
  for (const metadata of [
    { name: "a", uid: "1", resourceVersion: "7", labels },
    { labels, name: "a", namespace: "n", resourceVersion: "7" },
    { name: "a" },
  ]) {
    const object = { kind: "Thing", metadata, spec: { metadata: { resourceVersion: "7" } }, status: { phase: "x" } };
    const cached = codec.decode("/registry/things/a", codec.encode(object), 7);
    const later = codec.withRevision(cached, 12345);
    const { resourceVersion: _before, ...others } = metadata as { resourceVersion?: string };
    expect(later.object).toEqual({ ...object, metadata: { ...others, resourceVersion: "12345" } });
    expect([later.modRevision, later.field("status.phase"), later.asStored]).toEqual([12345, "x", false]);
    expect(later.labels).toEqual("labels" in metadata ? labels : {});
  }
});
