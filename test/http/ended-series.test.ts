import { expect, it } from "vitest";
import { FlowMetrics } from "../../runtime/metrics/flow-metrics.ts";
import { Histogram, NumberMetric } from "../../runtime/metrics/metric.ts";
import { RequestMetrics } from "../../runtime/metrics/request-metrics.ts";

const POLICY = { isShown: () => true, prefix: () => "", warnings: [] };

/** With a backslash before a quote and before a letter, and a line break. */
const THERE = ["there", 'a "quoted\\" one', "a\\name", "two\nlines"];

/** The metrics of a process, and whether an object exists by its name. */
function metricsOf(exists: (name: string) => boolean) {
  const metrics = new RequestMetrics({ requested: ({ resource }) => exists(resource), named: exists }, POLICY);
  const live =
    () =>
    ([name = ""]: readonly string[]) =>
      exists(name);
  const calls = new NumberMetric("counter", "calls_total", "Calls.", ["name", "code"]);
  const seconds = new Histogram("call_seconds", "Calls.", ["name"], [0.1, 1]);
  const others = new NumberMetric("counter", "others_total", "Others.", ["name"]);
  calls.keepWhile(live);
  seconds.keepWhile(live);
  const flows = new FlowMetrics(() => 0);
  for (const family of [calls, seconds, others, ...flows.families]) metrics.add(family);
  return { metrics, calls, seconds, others, flows };
}

it("keeps of the series of a process that ended those whose objects exist", async () => {
  const ended = metricsOf(() => true);
  for (const name of [...THERE, "gone", "gone \n{too}"]) {
    ended.calls.add(2, name, "200");
    ended.seconds.observe(0.5, name);
    ended.others.add(1, name);
  }
  const text = (await ended.metrics.expose()).toString();
  const { metrics } = metricsOf((name) => THERE.includes(name));
  const kept = await metrics.keepLive(text);
  const left = metricsOf(() => true);
  for (const name of THERE) {
    left.calls.add(2, name, "200");
    left.seconds.observe(0.5, name);
  }
  for (const { values } of ended.others.samples()) left.others.add(1, ...values);
  expect(kept).toBe((await left.metrics.expose()).toString());
  expect(await metrics.keepLive(kept)).toBe(kept);
});

it("keeps of the requests that a process counted those for resources that are served, and those for none", async () => {
  const series = (family: string, resource: string) =>
    `${family}{code="200",component="apiserver",dry_run="",verb="GET",group="example.com",version="v1",resource="${resource}",subresource="",scope="resource"} 1\n`;
  const total = "# TYPE apiserver_request_total counter\n";
  const bodies = "# TYPE apiserver_request_body_size_bytes histogram\n";
  const body = (name: string) =>
    `apiserver_request_body_size_bytes_bucket{resource="${name}",verb="create",le="50"} 1\n`;
  const name = "apiserver_request_total";
  const { metrics } = metricsOf((named) => named === "there" || named === "there.example.com");
  expect(
    await metrics.keepLive(
      total +
        series(name, "") +
        series(name, "gone") +
        series(name, "there") +
        bodies +
        body("gone.example.com") +
        body("there.example.com"),
    ),
  ).toBe(total + series(name, "") + series(name, "there") + bodies + body("there.example.com"));
});

it("keeps of the flows that a process counted those of FlowSchemas and levels that are configured", async () => {
  const ended = metricsOf(() => true);
  for (const [level, schema] of [
    ["high", "kept"],
    ["high", "gone"],
    ["low", "gone"],
  ] as const) {
    ended.flows.metersOf(level, schema).dispatched.value += 1;
    ended.flows.levelMetersOf(level);
  }
  const text = (await ended.metrics.expose()).toString();
  const { metrics, flows } = metricsOf(() => true);
  expect(await metrics.keepLive(text)).toBe(text);
  flows.retain(new Set(["high"]), [{ name: "kept", level: "high" }]);
  const kept = await metrics.keepLive(text);
  expect(kept).not.toMatch(/flow_schema="gone"|priority_level="low"/);
  const lines = text.split("\n").filter((line) => !/flow_schema="gone"|priority_level="low"/.test(line));
  expect(kept).toBe(lines.join("\n"));
});
