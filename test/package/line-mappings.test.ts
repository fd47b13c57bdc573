import { SourceMap } from "node:module";
import { describe, expect, it } from "vitest";
import { lineMappings } from "../../package/line-mappings.ts";

/** Segments: [column, source, line, source column, name]. */
const BEFORE = "AAAA,GAAIA,KACD,MAAO;;ACFV,IAAI,GAAK,CAAC,KDAD,EAAE,GAAG;AAAA,oBAmBoC";

const mapOf = (mappings: string): SourceMap =>
  new SourceMap({
    version: 3,
    file: "all.js",
    sources: ["one.ts", "two.ts"],
    sourcesContent: [],
    names: ["first"],
    mappings,
    sourceRoot: "",
  });

describe("source maps of the package", () => {
  it("lead every position to the source and line that they led to", () => {
    const [before, after] = [mapOf(BEFORE), mapOf(lineMappings(BEFORE))];
    let compared = 0;
    for (let line = 0; line < 4; line++)
      for (let column = 0; column < 60; column++) {
        const [old, now] = [before.findEntry(line, column), after.findEntry(line, column)];
        const placeOf = (entry: typeof old) =>
          "originalLine" in entry ? [entry.originalSource, entry.originalLine] : undefined;
        expect(placeOf(now), `${line}:${column}`).toEqual(placeOf(old));
        compared += placeOf(old) === undefined ? 0 : 1;
      }
    expect(compared).toBeGreaterThan(100);
  });

  it("keep names, the first mapping of a line and changes of the line, and nothing else", () => {
    expect(lineMappings("AAAA,IAAI,IAAIA,IAAI")).toBe("AAAA,QAAQA");
    expect(lineMappings("AAAA;AACA,EAAE;;AACA")).toBe("AAAA;AACA;;AACE");
    expect(lineMappings("")).toBe("");
  });

  it("stay as they are where they tell only lines", () => {
    const mappings = "AAAA;AACA;AACA,KACA;;ADFA";
    expect(lineMappings(mappings)).toBe(mappings);
  });

  it("count columns from what is left of a line", () => {
    expect(lineMappings("AAAA;EACA,KACA;CACA", [0, 2, 3])).toBe("AAAA;AACA,KACA;AACA");
  });

  it("refuse what is no source map", () => {
    expect(() => lineMappings("AA!A")).toThrow('"!" is not a digit of a source map');
  });
});
