import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chart } from "../bench/report/chart.ts";
import { comparison } from "../bench/report/comparison.ts";
import { markdown, withSections } from "../bench/report/markdown.ts";
import { BenchmarkRun } from "../bench/report/read-run.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const run = new BenchmarkRun(read("bench/results/latest.md"));

const rate = (section: string, what: string): string | undefined => run.rate(section, what);
const milliseconds = (section: string, what: string): string => `${run.number(section, what)?.toFixed(0)} ms`;
const processorTime = (section: string, what: string): string => {
  const time = Number(run.number(section, what)?.toPrecision(2));
  return `${time.toLocaleString("en")} ms`;
};

/** Rows of the documents with their names in the run: for requests per second, and for processor time. */
const OPERATIONS: readonly (readonly [row: string, rate: string, time: string])[] = [
  ["get a pod", "gets per second", "get"],
  ["list 10,000 pods, JSON", "lists of 10,000 pods per second", "list 10,000 pods, JSON"],
  ["list 10,000 pods, protobuf", "list, protobuf", "list, protobuf"],
  ["list 10,000 pods, Table", "list, Table", "list, Table"],
  ["list 10,000 pods in pages of 500", "list in pages of 500, whole walk", "list in pages of 500, whole walk"],
  ["list 1 % of 10,000 pods by label", "list by label, 1 %", "list by label, 1 %"],
  ["create a pod", "create pod", "create pod"],
  ["create a ConfigMap", "create ConfigMap", "create ConfigMap"],
  ["update a pod (get and put)", "update (get and put)", "update (get and put)"],
  ["merge patch", "merge patch", "merge patch"],
  ["apply a ConfigMap", "apply ConfigMap", "apply ConfigMap"],
  ["apply a Deployment", "apply Deployment", "apply Deployment"],
];

/** Servers that are started, with their names in the run. */
const STARTS = [
  ["package, all kinds", ", built package"],
  ["package, base `core` |", ", built package, base core"],
  ["repository, all kinds", ""],
  ["repository, base `core`", ", base core"],
] as const;

/** Returns the cells of the row that begins with `name`. */
function cellsOf(document: string, name: string): string[] {
  const row =
    read(document)
      .split("\n")
      .find((line) => line.startsWith(`| ${name}`)) ?? "";
  return row
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.replaceAll("*", "").trim());
}

describe("figures in documents are those of bench/results/latest.md", () => {
  it.each(OPERATIONS)("docs/benchmarks.md: %s", (name, rateName, timeName) => {
    const [time, peerTime, ours, , peer] = cellsOf("docs/benchmarks.md", name);
    expect([time, ours]).toEqual([processorTime("server", timeName), rate("server", rateName)]);
    expect([peerTime, peer]).toEqual([processorTime("peer", timeName), rate("peer", rateName)]);
  });

  it("docs/images/benchmark.svg, the picture in README.md, is drawn from the run (-u draws it again)", async () => {
    expect(read("README.md")).toContain("](docs/images/benchmark.svg)");
    await expect(comparison(run)).toMatchFileSnapshot("../docs/images/benchmark.svg");
  });

  it("bench/results/latest.svg is drawn from the run (-u draws it again)", () =>
    expect(chart(run.judged())).toMatchFileSnapshot("../bench/results/latest.svg"));

  it("docs/benchmarks.md and README.md: delay of watch events, start and memory", () => {
    const lag = (watchers: number): string => milliseconds("server", `watch, ${watchers} watchers, lag at p99`);
    expect(cellsOf("docs/benchmarks.md", "delay of an event")).toEqual([lag(100), lag(500)]);
    for (const [row, suffix] of STARTS) {
      const [ready, memory] = cellsOf("docs/benchmarks.md", row);
      expect(ready).toContain(`(${milliseconds("start", `from exec to ready, new data directory${suffix}`)})`);
      expect(memory).toBe(`${run.number("start", `resident memory, ready and idle${suffix}`)?.toFixed(1)} MiB`);
    }
    const idle = run.number("start", "resident memory, ready and idle")?.toFixed(0);
    expect(read("README.md")).toContain(`${idle} MiB when idle`);
  });
});

describe("parts that are measured later", () => {
  const section = (name: string, value: number) => ({
    name,
    measurements: [{ name: "get", value, unit: "ms", bar: { atMost: 2 } }],
  });

  it("take the place of the same parts of the run, or are added to it, in the page and in its chart", () => {
    const before = markdown([section("start", 1), section("server", 3)], "this machine");
    const after = markdown([section("start", 1), section("server", 2), section("peer", 4)], "this machine");
    expect(withSections(before, [section("server", 2), section("peer", 4)])).toBe(after);
    expect(new BenchmarkRun(after).judged()).toEqual([
      { name: "get", share: 0.5, ok: true },
      { name: "get", share: 1, ok: true },
      { name: "get", share: 2, ok: false },
    ]);
  });
});
