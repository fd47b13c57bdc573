import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { decodeEnvelope, encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { factsAvailable, factsSource, wireFolder, wirePairs } from "../fixtures/facts-tables.ts";

/** Golden objects of Kubernetes v1.33: each must be encoded byte for byte, from JSON and back. */
describe.skipIf(!factsAvailable() || !existsSync(wireFolder))("golden wire objects (skipped without ../shared)", () => {
  for (const [tables, source] of [
    ["generated tables", registry.createTypeSource],
    ["tables made from the facts", factsSource],
  ] as const) {
    it(`round-trip with ${tables}`, () => {
      const schemas = createSchemas(source());
      const leftOut: string[] = [];
      let checked = 0;
      for (const pair of wirePairs()) {
        const parsed = parseJson(pair.json, { floatLiterals: true });
        let schema: ReturnType<typeof schemas.of>;
        try {
          schema = schemas.of(pair.ref);
        } catch (error) {
          leftOut.push(`${pair.file}: ${(error as Error).message}`);
          continue;
        }
        const problems: string[] = [];
        const object = schema.decode(parsed.value, { ...parsed, problems });
        expect(problems, pair.file).toEqual([]);
        expect(object, pair.file).toEqual(JSON.parse(pair.json));
        // Keys are in the order in which Kubernetes prints them.
        expect(JSON.stringify(object), pair.file).toBe(JSON.stringify(JSON.parse(pair.json)));
        const envelope = decodeEnvelope(pair.protobuf);
        const { apiVersion, kind } = envelope;
        const bytes = encodeEnvelope({ apiVersion, kind, raw: schema.encodeProtobuf(object) });
        expect(bytes.equals(pair.protobuf), `${pair.file} encodes to the golden bytes`).toBe(true);
        // Watch events carry no kind of their own, other objects repeat that of their envelope.
        const typeMeta = kind === "" ? {} : { kind, apiVersion };
        expect({ ...typeMeta, ...schema.decodeProtobuf(envelope.raw) }, pair.file).toEqual(object);
        checked++;
      }
      console.log(`${tables}: ${checked} golden objects equal, ${leftOut.length} left out\n${leftOut.join("\n")}`);
      expect(checked).toBeGreaterThan(0);
    });
  }
});
