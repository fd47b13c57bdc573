import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";

const recorded = new URL("../../../shared/conformance/answers.jsonl.gz", import.meta.url);

/** Output of a real server must already be canonical for this server, in JSON and protobuf. */
describe.skipIf(!existsSync(recorded))("objects a real server answered with (skipped without ../shared)", () => {
  const schemas = createSchemas(registry.createTypeSource());
  const refs = new Map<string, TypeRef>(
    registry
      .readCatalogue()
      .resources.map(({ group, version, kind, type }) => [`${group ? `${group}/` : ""}${version} ${kind}`, type]),
  );

  it("are unchanged by decoding, without errors", () => {
    let same = 0;
    let placeholders = 0;
    const kinds = new Set<string>();
    for (const object of recordedObjects()) {
      const ref = refs.get(`${object.apiVersion} ${object.kind}`);
      if (ref === undefined) continue;
      // Recorded numbers that differ between runs are placeholder strings now, so such objects do not show the types.
      if (/"(?:nodePort|healthCheckNodePort)":"</.test(JSON.stringify(object))) {
        placeholders++;
        continue;
      }
      const schema = schemas.of(ref);
      const problems: string[] = [];
      const decoded = schema.decode(object, { problems });
      expect(problems).toEqual([]);
      expect(decoded).toEqual(object);
      const { kind, apiVersion } = object;
      expect({ kind, apiVersion, ...schema.decodeProtobuf(schema.encodeProtobuf(decoded)) }).toEqual(decoded);
      kinds.add(ref);
      same++;
    }
    console.log(
      `${same} recorded objects of ${kinds.size} kinds are canonical; ${placeholders} hold placeholders for numbers`,
    );
    expect(same).toBeGreaterThan(500);
  });
});

function* recordedObjects(): Generator<{ apiVersion: string; kind: string }> {
  const text = gunzipSync(readFileSync(recorded)).toString("utf8").replaceAll('"<time>"', '"2024-01-01T00:00:00Z"');
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const { answers } = JSON.parse(line) as {
      answers: { status: number; body?: { apiVersion?: string; kind?: string } }[];
    };
    for (const { status, body } of answers) {
      if (status <= 202 && typeof body === "object" && body?.kind && body.apiVersion) {
        yield body as { apiVersion: string; kind: string };
      }
    }
  }
}
